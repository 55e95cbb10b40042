package dataset

import (
	"encoding/binary"
	"errors"
)

// A thriftStruct is a struct in Thrift's compact protocol, in which Parquet keeps its
// metadata: the numbers, texts, structs and lists of structs in it, by field number.
// Other lists and maps are passed over.
type thriftStruct []thriftField

type thriftField struct {
	id int16
	// number is the value of an integer; that of a boolean is 0 or 1.
	number int64
	text   []byte
	// inner is the struct, or the structs of a list.
	inner []thriftStruct
	// isStruct tells a struct from a list.
	isStruct bool
}

// field returns a field, or nil.
func (s thriftStruct) field(id int16) *thriftField {
	for i := range s {
		if s[i].id == id {
			return &s[i]
		}
	}
	return nil
}

// number returns the value of an integer; 0 if there is none.
func (s thriftStruct) number(id int16) int64 {
	if f := s.field(id); f != nil {
		return f.number
	}
	return 0
}

// text returns the value of a text; "" if there is none.
func (s thriftStruct) text(id int16) string {
	if f := s.field(id); f != nil {
		return string(f.text)
	}
	return ""
}

// list returns the structs of a list; nil if there is none.
func (s thriftStruct) list(id int16) []thriftStruct {
	if f := s.field(id); f != nil && !f.isStruct {
		return f.inner
	}
	return nil
}

// inner returns a struct and whether it is there.
func (s thriftStruct) inner(id int16) (thriftStruct, bool) {
	if f := s.field(id); f != nil && f.isStruct {
		return f.inner[0], true
	}
	return nil, false
}

// Types of values in the compact protocol.
const (
	thriftTrue   = 1
	thriftFalse  = 2
	thriftByte   = 3
	thriftI16    = 4
	thriftI32    = 5
	thriftI64    = 6
	thriftDouble = 7
	thriftBinary = 8
	thriftList   = 9
	thriftSet    = 10
	thriftMap    = 11
	thriftObject = 12
	thriftUUID   = 13
)

var (
	// errThriftCut means that more data is needed, or that a size is a lie.
	errThriftCut = errors.New("the metadata ends too early")
	errThrift    = errors.New("the metadata is damaged")
)

// parseThrift reads a struct and returns its length. No list has more elements than
// bytes are left, so that a size that is a lie costs no memory.
func parseThrift(b []byte) (thriftStruct, int, error) {
	p := &thriftParser{all: b, rest: b}
	s, err := p.object(0)
	return s, len(p.all) - len(p.rest), err
}

type thriftParser struct{ all, rest []byte }

func (p *thriftParser) byte() (byte, error) {
	b, err := p.take(1)
	if err != nil {
		return 0, err
	}
	return b[0], nil
}

func (p *thriftParser) take(n int) ([]byte, error) {
	if n > len(p.rest) {
		return nil, errThriftCut
	}
	b := p.rest[:n]
	p.rest = p.rest[n:]
	return b, nil
}

func (p *thriftParser) unsigned() (uint64, error) {
	v, n := binary.Uvarint(p.rest)
	switch {
	case n == 0:
		return 0, errThriftCut
	case n < 0:
		return 0, errThrift
	}
	p.rest = p.rest[n:]
	return v, nil
}

func (p *thriftParser) signed() (int64, error) {
	v, err := p.unsigned()
	return int64(v>>1) ^ -int64(v&1), err
}

// size reads the number of elements of a list, or the length of a text.
func (p *thriftParser) size() (int, error) {
	v, err := p.unsigned()
	if err == nil && v > uint64(len(p.rest)) {
		err = errThriftCut
	}
	return int(v), err
}

func (p *thriftParser) object(depth int) (thriftStruct, error) {
	if depth > maxDepth {
		return nil, errThrift
	}
	var s thriftStruct
	var id int16
	for {
		head, err := p.byte()
		if err != nil || head == 0 {
			return s, err
		}
		if delta := int16(head >> 4); delta != 0 {
			id += delta
		} else {
			v, err := p.signed()
			if err != nil {
				return nil, err
			}
			id = int16(v)
		}
		f, err := p.value(head&0x0f, depth)
		if err != nil {
			return nil, err
		}
		f.id = id
		s = append(s, f)
	}
}

// value reads the value of a field.
func (p *thriftParser) value(kind byte, depth int) (f thriftField, err error) {
	switch kind {
	case thriftTrue:
		f.number = 1
	case thriftFalse:
	case thriftByte:
		var b byte
		b, err = p.byte()
		f.number = int64(int8(b))
	case thriftI16, thriftI32, thriftI64:
		f.number, err = p.signed()
	case thriftDouble:
		_, err = p.take(8)
	case thriftUUID:
		_, err = p.take(16)
	case thriftBinary:
		var n int
		if n, err = p.size(); err == nil {
			f.text, err = p.take(n)
		}
	case thriftObject:
		var s thriftStruct
		s, err = p.object(depth + 1)
		f.inner, f.isStruct = []thriftStruct{s}, true
	case thriftList, thriftSet:
		f.inner, err = p.list(depth)
	case thriftMap:
		err = p.pairs(depth)
	default:
		err = errThrift
	}
	return f, err
}

// list reads a list and returns its structs, if it is one of structs.
func (p *thriftParser) list(depth int) ([]thriftStruct, error) {
	head, err := p.byte()
	if err != nil {
		return nil, err
	}
	n, kind := int(head>>4), head&0x0f
	if n == 15 {
		if n, err = p.size(); err != nil {
			return nil, err
		}
	}
	out := []thriftStruct{}
	for range n {
		if kind == thriftObject {
			s, err := p.object(depth + 1)
			if err != nil {
				return nil, err
			}
			out = append(out, s)
			continue
		}
		if err := p.skip(kind, depth+1); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func (p *thriftParser) pairs(depth int) error {
	n, err := p.size()
	if err != nil || n == 0 {
		return err
	}
	kinds, err := p.byte()
	if err != nil {
		return err
	}
	for range n {
		if err := p.skip(kinds>>4, depth+1); err != nil {
			return err
		}
		if err := p.skip(kinds&0x0f, depth+1); err != nil {
			return err
		}
	}
	return nil
}

// skip passes over an element. In a list a boolean takes a byte.
func (p *thriftParser) skip(kind byte, depth int) error {
	if depth > maxDepth {
		return errThrift
	}
	if kind == thriftTrue || kind == thriftFalse {
		kind = thriftByte
	}
	_, err := p.value(kind, depth)
	return err
}
