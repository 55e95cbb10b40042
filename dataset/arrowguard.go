package dataset

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/apache/arrow-go/v18/arrow/memory"
	flatbuffers "github.com/google/flatbuffers/go"
	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"
)

// The reader of Arrow takes the sizes that a message declares for granted, and allocates
// them, among them the window of packed data. The guard checks a message before the
// reader sees it. What it reads is laid out as Message.fbs, Schema.fbs and File.fbs of the
// Arrow format say (https://arrow.apache.org/docs/format/Columnar.html).
const (
	// maxBatch bounds the values of a message, unpacked. Writers divide tables into batches
	// of some thousand rows; one that does not needs as much memory to read as to write.
	maxBatch = 1 << 30
	// maxArrowDepth is the depth of columns that the reader refuses.
	maxArrowDepth = 64
	maxArrowRows  = 1<<31 - 1
	// maxWindow bounds the window of data packed with zstd, usualWindow that which every
	// program should read (RFC 8878, section 3.1.1.1.2).
	maxWindow, usualWindow = 128 << 20, 8 << 20
)

// Kinds of messages.
const (
	messageSchema     = 1
	messageDictionary = 2
	messageBatch      = 3
)

// A flatTable reads the fields of a table by their numbers in the schema of flatbuffers,
// from 0. It panics outside of the message.
type flatTable struct{ flatbuffers.Table }

// at returns where a field is; false if it is absent.
func (t flatTable) at(n int) (flatbuffers.UOffsetT, bool) {
	o := flatbuffers.UOffsetT(t.Offset(flatbuffers.VOffsetT(4 + 2*n)))
	return t.Pos + o, o != 0
}

// inner returns the table in a field.
func (t flatTable) inner(n int) (flatTable, bool) {
	at, ok := t.at(n)
	if ok {
		t.Pos = t.Indirect(at)
	}
	return t, ok
}

// long returns a number of 64 bits, octet one of 8; 0 if it is absent.
func (t flatTable) long(n int) int64 {
	if at, ok := t.at(n); ok {
		return t.GetInt64(at)
	}
	return 0
}

func (t flatTable) octet(n int) byte {
	if at, ok := t.at(n); ok {
		return t.GetByte(at)
	}
	return 0
}

// vector returns the entries of a list, each of some bytes.
func (t flatTable) vector(n, size int) []byte {
	at, ok := t.at(n)
	if !ok {
		return nil
	}
	at = t.Indirect(at)
	count := uint64(t.GetUOffsetT(at))
	rest := t.Bytes[uint64(at)+flatbuffers.SizeUOffsetT:]
	return rest[:count*uint64(size)]
}

// tables returns the tables in a list.
func (t flatTable) tables(n int) []flatTable {
	list := t.vector(n, flatbuffers.SizeUOffsetT)
	out := make([]flatTable, 0, len(list)/flatbuffers.SizeUOffsetT)
	for ; len(list) > 0; list = list[flatbuffers.SizeUOffsetT:] {
		one := t
		one.Pos = t.Indirect(flatbuffers.UOffsetT(cap(t.Bytes) - cap(list)))
		out = append(out, one)
	}
	return out
}

// An arrowGuard checks the messages of a file.
type arrowGuard struct {
	name string
	// limits bounds bytes and values, the sizes of all batches, unpacked, and the number
	// of their values. kept are the bytes of dictionaries, which stay in memory.
	limits        Limits
	bytes, values int64
	kept          int64
	zstd          *zstd.Decoder
	lz4           *lz4.Reader
}

func (g *arrowGuard) close() {
	if g.zstd != nil {
		g.zstd.Close()
	}
}

// An arrowMessage is the description of a message.
type arrowMessage struct {
	header flatTable
	kind   byte
	body   int64
}

// describe reads the description of a message.
func (g *arrowGuard) describe(meta []byte) (m arrowMessage, err error) {
	err = guarded(func() error {
		root := flatTable{flatbuffers.Table{Bytes: meta, Pos: flatbuffers.GetUOffsetT(meta)}}
		m.kind, m.body = root.octet(1), root.long(3)
		m.header, _ = root.inner(2)
		// Texts may share their bytes, and are copied.
		texts := int64(len(meta)) - pairs(root, 4)
		if m.kind == messageSchema {
			if at, ok := m.header.at(0); ok && m.header.GetInt16(at) != 0 {
				return errors.New("numbers with the highest byte first are not supported: want little-endian")
			}
			texts -= pairs(m.header, 2)
			count := 0
			if err := columnsWithin(m.header.tables(1), 0, &count, &texts); err != nil {
				return err
			}
		}
		if texts < 0 {
			return errDamaged
		}
		return nil
	})
	return m, err
}

// pairs returns the size of the texts in a list of names and values.
func pairs(t flatTable, n int) (size int64) {
	for _, pair := range t.tables(n) {
		size += int64(len(pair.vector(0, 1))) + int64(len(pair.vector(1, 1)))
	}
	return size
}

// Fields of a column of the schema.
const (
	arrowFieldName     = 0
	arrowFieldTypeKind = 2
	arrowFieldType     = 3
	arrowFieldChildren = 5
	arrowFieldPairs    = 6

	arrowTimestamp = 10
)

// columnsWithin counts columns and what is in them: a few bytes may stand for any number,
// since tables may share their parts. It takes the size of their texts off texts.
func columnsWithin(columns []flatTable, depth int, count *int, texts *int64) error {
	if *count += len(columns); *count > maxColumns {
		return fmt.Errorf("more than %d columns", maxColumns)
	}
	if depth >= maxArrowDepth {
		return fmt.Errorf("columns nested more than %d deep", maxArrowDepth)
	}
	for _, c := range columns {
		*texts -= int64(len(c.vector(arrowFieldName, 1))) + pairs(c, arrowFieldPairs)
		if kind, ok := c.inner(arrowFieldType); ok && c.octet(arrowFieldTypeKind) == arrowTimestamp {
			*texts -= int64(len(kind.vector(1, 1)))
		}
		if err := columnsWithin(c.tables(arrowFieldChildren), depth+1, count, texts); err != nil {
			return err
		}
	}
	return nil
}

// batch checks a message of values, or of a dictionary, with its body.
func (g *arrowGuard) batch(m arrowMessage, body []byte) error {
	return guarded(func() error {
		values := m.header
		if m.kind == messageDictionary {
			var ok bool
			if values, ok = m.header.inner(1); !ok {
				return errDamaged
			}
		}
		unpacked, err := g.buffers(values, body)
		if err != nil {
			return err
		}
		if g.bytes += unpacked; m.kind == messageDictionary {
			if g.kept += unpacked; g.kept > maxBatch {
				return fmt.Errorf("dictionaries of more than %d MB", maxBatch>>20)
			}
		}
		if n := values.long(0); n < 0 || n > maxArrowRows {
			return errDamaged
		}
		for nodes := values.vector(1, 16); len(nodes) > 0; nodes = nodes[16:] {
			length, nulls := int64(binary.LittleEndian.Uint64(nodes)), int64(binary.LittleEndian.Uint64(nodes[8:]))
			if length < 0 || length > maxArrowRows || nulls < 0 || nulls > length {
				return errDamaged
			}
			g.values += length
		}
		return g.limits.exceeded(g.bytes, g.values, g.name)
	})
}

// buffers checks the pieces of a body, and returns their size unpacked.
func (g *arrowGuard) buffers(values flatTable, body []byte) (unpacked int64, err error) {
	list := values.vector(2, 16)
	for counts := values.vector(4, 8); len(counts) > 0; counts = counts[8:] {
		// The number of pieces that hold the texts of a column.
		if n := binary.LittleEndian.Uint64(counts); n > uint64(len(list)/16) {
			return 0, errDamaged
		}
	}
	packing, isPacked := values.inner(3)
	most := min(max(freeSize, int64(len(body))*maxRatio), maxBatch)
	for ; len(list) > 0; list = list[16:] {
		at, size := binary.LittleEndian.Uint64(list), binary.LittleEndian.Uint64(list[8:])
		if at > uint64(len(body)) || size > uint64(len(body))-at || size > 0 && at%8 != 0 {
			return 0, errors.New("values lie outside of their batch")
		}
		piece := body[at : at+size]
		if size > 0 && isPacked {
			if size < 8 {
				return 0, errDamaged
			}
			declared := int64(binary.LittleEndian.Uint64(piece))
			if piece = piece[8:]; declared != -1 {
				if declared < 0 || declared > most-unpacked {
					return 0, fmt.Errorf("a batch of %d bytes unpacks to more than %d MB", len(body), most>>20)
				}
				if err := g.unpacks(piece, packing.octet(0), declared); err != nil {
					return 0, err
				}
				unpacked += declared
				continue
			}
		}
		// Pieces may overlap; they are not copied.
		unpacked += int64(len(piece))
	}
	return unpacked, nil
}

// arrowMemory is the memory of the reader. Besides unpacked values it holds dictionaries
// that grow, whose sizes the reader takes from the values. It panics when it is asked for
// more than twice of what all batches hold.
type arrowMemory struct {
	memory.Allocator
	guard *arrowGuard
}

func (m arrowMemory) check(size int) {
	if int64(size) > 1<<20+2*m.guard.bytes {
		panic(errDamaged)
	}
}

// Allocate implements [memory.Allocator].
func (m arrowMemory) Allocate(size int) []byte {
	m.check(size)
	return m.Allocator.Allocate(size)
}

// Reallocate implements [memory.Allocator].
func (m arrowMemory) Reallocate(size int, b []byte) []byte {
	m.check(size)
	return m.Allocator.Reallocate(size, b)
}

// Codecs of pieces.
const (
	arrowLZ4  = 0
	arrowZstd = 1
)

// unpacks checks that data unpacks to so many bytes.
func (g *arrowGuard) unpacks(data []byte, codec byte, want int64) error {
	var in io.Reader
	switch codec {
	case arrowLZ4:
		if g.lz4 == nil {
			g.lz4 = lz4.NewReader(nil)
		}
		g.lz4.Reset(bytes.NewReader(data))
		in = g.lz4
	case arrowZstd:
		var h zstd.Header
		if err := h.Decode(data); err != nil {
			return fmt.Errorf("values cannot be unpacked: %w", err)
		}
		if h.WindowSize > uint64(max(usualWindow, 2*want)) {
			return fmt.Errorf("values cannot be unpacked: a window of %d bytes for %d", h.WindowSize, want)
		}
		if g.zstd == nil {
			z, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxWindow))
			if err != nil {
				return err
			}
			g.zstd = z
		}
		if err := g.zstd.Reset(bytes.NewReader(data)); err != nil {
			return err
		}
		in = g.zstd
	default:
		return fmt.Errorf("compression %d is not supported: want none, lz4 or zstd", codec)
	}
	n, err := io.Copy(io.Discard, io.LimitReader(in, want+1))
	if err != nil {
		return fmt.Errorf("values cannot be unpacked: %w", err)
	}
	if n != want {
		return fmt.Errorf("values unpack to more or fewer than their %d bytes", want)
	}
	return nil
}
