package dataset

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"
)

// An arrowPart is one file of Arrow: a stream of messages, or what is called a file, which
// is a stream after eight bytes, with a list of its messages at the end.
type arrowPart struct {
	name string
	// in is the file, of size bytes; nil if the file at path is opened when it is read.
	in   io.ReaderAt
	size int64
	path string
}

// arrowFile is the source of the rows of one or more files of Arrow with the same columns.
type arrowFile struct{ parts []arrowPart }

const arrowMagic = "ARROW1"

// isArrow reports whether a file begins as a file or a stream of Arrow does, or as one of
// Feather before version 2.
func isArrow(magic []byte) bool {
	if len(magic) < 8 {
		return false
	}
	return string(magic) == arrowMagic+"\x00\x00" || string(magic[:4]) == "FEA1" ||
		binary.LittleEndian.Uint32(magic) == continuation && int32(binary.LittleEndian.Uint32(magic[4:])) > 0
}

// continuation begins every message since version 0.15.
const continuation = 0xffffffff

// openArrow reads the columns of the first of some files.
func openArrow(parts []arrowPart, name string, o Options) (*rowFile, error) {
	a := &arrowFile{parts}
	var names []string
	err := a.open(&parts[0], o.Limits, func(s *arrowStream, r *ipc.Reader) error {
		names = columnsOf(r.Schema())
		return nil
	})
	if err != nil {
		return nil, err
	}
	f := newRows(name, names, a, o)
	for _, part := range parts {
		f.most += textPerByte * part.size
	}
	f.most = max(leastText, f.most)
	return f, nil
}

func columnsOf(s *arrow.Schema) (names []string) {
	for _, f := range s.Fields() {
		names = append(names, f.Name)
	}
	return names
}

// kind implements rowSource.
func (a *arrowFile) kind() string { return "Arrow" }

// each implements rowSource.
func (a *arrowFile) each(f *rowFile, l *loader, fn func([]*node, *rowMaker) error) error {
	// Messages name the file of a row.
	whole := l.src.name
	defer func() { l.src.name = whole }()
	for i := range a.parts {
		p := &a.parts[i]
		l.src.name = p.name
		err := a.open(p, f.limits, func(s *arrowStream, r *ipc.Reader) error {
			if names := columnsOf(r.Schema()); !slices.Equal(names, f.names) {
				return &Error{File: p.name, Index: -1, Problem: "columns " + quoted(names), Want: fmt.Sprintf("those of %s: %s",
					a.parts[0].name, quoted(f.names))}
			}
			if err := a.rows(f, l, s, r, fn); err != nil {
				return err
			}
			if !s.closed {
				l.remark(Warning{File: p.name, Text: "ends without the mark of its end: it may be cut short"})
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// rows reads the rows of a file.
func (a *arrowFile) rows(f *rowFile, l *loader, s *arrowStream, r *ipc.Reader, fn func([]*node, *rowMaker) error) error {
	line := 0
	for {
		var more bool
		err := guarded(func() error {
			more = r.Next()
			return nil
		})
		switch {
		case s.err != nil:
			err = s.err
		case err == nil:
			err = r.Err()
		}
		if err != nil {
			return damagedRows(a, l.src.name, line+1, fmt.Errorf("message %d: %w", s.messages, err))
		}
		if !more {
			return nil
		}
		batch := r.RecordBatch()
		for i := range int(batch.NumRows()) {
			line++
			m := &arrowReader{rowMaker{file: f, l: l, line: line}, s}
			var row []*node
			err := guarded(func() (err error) {
				row, err = m.row(batch, i)
				return err
			})
			if err != nil {
				return damagedRows(a, l.src.name, line, err)
			}
			if err := fn(row, &m.rowMaker); err != nil {
				return err
			}
		}
	}
}

// open opens a file and calls fn with its messages, of which the schema has been read.
func (a *arrowFile) open(p *arrowPart, limits Limits, fn func(*arrowStream, *ipc.Reader) error) error {
	in, size := p.in, p.size
	if in == nil {
		file, err := os.Open(p.path)
		if err != nil {
			return pathError(p.name, err)
		}
		defer file.Close()
		st, err := file.Stat()
		if err != nil {
			return pathError(p.name, err)
		}
		in, size = file, st.Size()
	}
	s, err := newArrowStream(in, size, p.name, limits)
	if err != nil {
		return damagedRows(a, p.name, 0, err)
	}
	defer s.guard.close()
	var r *ipc.Reader
	err = guarded(func() (err error) {
		r, err = ipc.NewReaderFromMessageReader(s, ipc.WithAllocator(arrowMemory{memory.NewGoAllocator(), &s.guard}))
		return err
	})
	if s.err != nil {
		err = s.err
	}
	if err != nil {
		return damagedRows(a, p.name, 0, err)
	}
	defer r.Release()
	return fn(s, r)
}

// An arrowStream reads the messages of a file one by one, and checks each. It implements
// [ipc.MessageReader].
type arrowStream struct {
	in *io.SectionReader
	// left is the number of bytes that were not read, messages that of messages.
	left     int64
	messages int
	guard    arrowGuard
	// items are the entries of lists so far.
	items int64
	// closed is set when the mark of the end was read.
	closed bool
	err    error
}

func newArrowStream(r io.ReaderAt, size int64, name string, limits Limits) (*arrowStream, error) {
	head := make([]byte, 8)
	if n, err := r.ReadAt(head, 0); err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	} else if !isArrow(head[:n]) {
		return nil, errors.New("the file does not begin as one of Arrow")
	}
	start := int64(0)
	switch string(head[:4]) {
	case "FEA1":
		return nil, errors.New("version 1 of Feather is not supported: want version 2, as pyarrow.feather.write_feather writes")
	case arrowMagic[:4]:
		start = 8
		tail := make([]byte, len(arrowMagic))
		if size < start+int64(len(tail)) {
			return nil, errors.New("the file is cut short")
		}
		if _, err := r.ReadAt(tail, size-int64(len(tail))); err != nil {
			return nil, err
		}
		if string(tail) != arrowMagic {
			return nil, fmt.Errorf("the file is cut short: it does not end with %s", arrowMagic)
		}
	}
	return &arrowStream{in: io.NewSectionReader(r, start, size-start), left: size - start, guard: arrowGuard{name: name, limits: limits}}, nil
}

// Message implements [ipc.MessageReader].
func (s *arrowStream) Message() (*ipc.Message, error) {
	m, err := s.next()
	if err != nil && !errors.Is(err, io.EOF) {
		s.err = err
	}
	return m, err
}

// Retain implements [ipc.MessageReader].
func (s *arrowStream) Retain() {}

// Release implements [ipc.MessageReader].
func (s *arrowStream) Release() {}

// next reads a message. The error is [io.EOF] after the last.
func (s *arrowStream) next() (*ipc.Message, error) {
	if s.left == 0 {
		return nil, io.EOF
	}
	s.messages++
	length, err := s.number()
	if err == nil && length == continuation {
		length, err = s.number()
	}
	if err != nil {
		return nil, err
	}
	if length == 0 {
		s.closed = true
		return nil, io.EOF
	}
	if length > maxFooter {
		return nil, fmt.Errorf("the description is longer than %d MB", maxFooter>>20)
	}
	meta, err := s.read(int64(length))
	if err != nil {
		return nil, err
	}
	m, err := s.guard.describe(meta)
	if err != nil {
		return nil, err
	}
	switch {
	case m.kind != messageSchema && m.kind != messageDictionary && m.kind != messageBatch:
		return nil, fmt.Errorf("kind %d, which is not supported", m.kind)
	case (m.kind == messageSchema) != (s.messages == 1):
		return nil, errors.New("the columns are not described once, at the beginning")
	case m.body < 0 || m.body > maxBatch:
		return nil, fmt.Errorf("a batch of %d bytes: want at most %d MB", m.body, maxBatch>>20)
	}
	body, err := s.read(m.body)
	if err != nil {
		return nil, err
	}
	if m.kind != messageSchema {
		if err := s.guard.batch(m, body); err != nil {
			return nil, err
		}
	}
	return ipc.NewMessage(memory.NewBufferBytes(meta), memory.NewBufferBytes(body)), nil
}

func (s *arrowStream) number() (uint32, error) {
	b, err := s.read(4)
	if err != nil {
		return 0, err
	}
	return binary.LittleEndian.Uint32(b), nil
}

// read reads the next n bytes.
func (s *arrowStream) read(n int64) ([]byte, error) {
	if n > s.left {
		return nil, errors.New("the file is cut short")
	}
	s.left -= n
	b := make([]byte, n)
	if _, err := io.ReadFull(s.in, b); err != nil {
		return nil, err
	}
	return b, nil
}
