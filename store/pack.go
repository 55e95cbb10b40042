package store

import (
	"bytes"
	_ "embed"
	"encoding/binary"
	"errors"
	"fmt"
	"sync"

	"github.com/klauspost/compress/zstd"
)

// Texts are stored packed: a byte for the way, and a zstd frame without its magic number.
// Rows of earlier schemas hold them as they are.
//
// A packed text may have two parts, so that the first can be read without the second: the
// brief of a record, and the record, which repeats most of it. The second part continues
// the frame of the first.
const packedOnce = 1 // with dictionary1

// dictionaryFile is what records and calls have in common. It must never change: what was
// packed with it needs it. Another one needs another way.
//
//go:embed dictionary_1.txt
var dictionaryFile []byte

// dictionary1 has no end of line, which a checkout may write in another way.
var dictionary1 = bytes.TrimRight(dictionaryFile, "\r\n")

const (
	// packWindow is how far a text may refer back. A decoder needs as much memory.
	packWindow = 256 << 10
	// shortPack is the size up to which a text is packed at the faster level. To prepare the
	// tables of the better one takes longer than to pack so short a text, which comes out
	// at most 1 % smaller.
	shortPack = 4 << 10
	// longestText is the longest text that is packed or unpacked, so that an altered row
	// cannot use up the memory.
	longestText = longestLine
)

var (
	zstdMagic = []byte{0x28, 0xb5, 0x2f, 0xfd}
	// lastBlock is an empty block that ends a frame.
	lastBlock = []byte{1, 0, 0}

	errPacked = errors.New("cannot be unpacked")
)

// Idle encoders for records and calls, and for short texts. Each takes a few megabytes.
var packers, shortPackers = packersOf(zstd.SpeedDefault), packersOf(zstd.SpeedFastest)

func packersOf(level zstd.EncoderLevel) *sync.Pool {
	return &sync.Pool{New: func() any {
		e, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(level), zstd.WithEncoderConcurrency(1), zstd.WithEncoderCRC(false),
			zstd.WithWindowSize(packWindow), zstd.WithLowerEncoderMem(true), zstd.WithEncoderDictRaw(packedOnce, dictionary1))
		if err != nil {
			return err
		}
		return e
	}}
}

// unpacker decodes for all goroutines, as many at once as there are processors.
var unpacker = sync.OnceValues(func() (*zstd.Decoder, error) {
	return zstd.NewReader(nil, zstd.WithDecoderConcurrency(0), zstd.WithDecoderMaxWindow(packWindow), zstd.WithDecoderMaxMemory(longestText),
		zstd.WithDecoderDictRaw(packedOnce, dictionary1))
})

// A buffer is memory that is used again.
type buffer struct{ bytes []byte }

var buffers = sync.Pool{New: func() any { return &buffer{make([]byte, 0, 16<<10)} }}

func takeBuffer() *buffer {
	b, ok := buffers.Get().(*buffer)
	if !ok {
		return &buffer{}
	}
	return b
}

// free gives a buffer back, unless it is so large that it had better be collected.
func (b *buffer) free() {
	if cap(b.bytes) <= 1<<20 {
		buffers.Put(b)
	}
}

// pack packs a text in parts, each of which needs those before it to be unpacked.
func pack(parts ...string) ([][]byte, error) {
	size := 0
	for _, part := range parts {
		size += len(part)
	}
	if size <= shortPack {
		return packBy(shortPackers, parts...)
	}
	return packBy(packers, parts...)
}

// packBy is [pack] with an encoder of a pool.
func packBy(pool *sync.Pool, parts ...string) ([][]byte, error) {
	size := 0
	for _, part := range parts {
		if size += len(part); part == "" || size > longestText {
			return nil, fmt.Errorf("a text of %d bytes: expected 1 to %d", size, longestText)
		}
	}
	idle := pool.Get()
	e, ok := idle.(*zstd.Encoder)
	if !ok {
		return nil, fmt.Errorf("packing: %w", idle.(error))
	}
	defer pool.Put(e)
	var out bytes.Buffer
	e.Reset(&out)
	ends := make([]int, len(parts))
	for i, part := range parts {
		_, err := e.Write([]byte(part))
		if err == nil && i < len(parts)-1 {
			err = e.Flush()
		} else if err == nil {
			err = e.Close()
		}
		if err != nil {
			return nil, fmt.Errorf("packing: %w", err)
		}
		ends[i] = out.Len()
	}
	frame := out.Bytes()
	packed, from := make([][]byte, len(parts)), len(zstdMagic)
	for i, end := range ends {
		packed[i] = append(packed[i], frame[from:end]...)
		from = end
	}
	packed[0] = append([]byte{packedOnce}, packed[0]...)
	return packed, nil
}

// unpack appends to into what the first parts of a packed text hold; whole says that no
// part is missing.
func unpack(into []byte, whole bool, parts ...[]byte) ([]byte, error) {
	if len(parts[0]) == 0 || parts[0][0] != packedOnce {
		return into, fmt.Errorf("%w: it is packed in an unknown way", errPacked)
	}
	d, err := unpacker()
	if err != nil {
		return into, err
	}
	scratch := takeBuffer()
	defer scratch.free()
	frame := append(append(scratch.bytes[:0], zstdMagic...), parts[0][1:]...)
	for _, part := range parts[1:] {
		frame = append(frame, part...)
	}
	if !whole {
		frame = append(frame, lastBlock...)
	}
	scratch.bytes = frame
	// Frames that follow would be decoded too; the checksum of the row tells them.
	out, err := d.DecodeAll(frame, into)
	if err != nil {
		return into, fmt.Errorf("%w: %w", errPacked, err)
	}
	return out, nil
}

// packPair packs a short and a long text, which can be unpacked without and with the other.
func packPair(short, long string) (a, b []byte, err error) {
	parts, err := pack(short, long)
	if err != nil {
		return nil, nil, err
	}
	return parts[0], append(binary.AppendUvarint(nil, uint64(len(short))), parts[1]...), nil
}

// unpackShort returns the short text of a pair, in into if it has the room.
func unpackShort(into, a []byte) ([]byte, error) { return unpack(into[:0], false, a) }

// unpackLong returns the long text of a pair, in into if it has the room.
func unpackLong(into, a, b []byte) ([]byte, error) {
	short, n := binary.Uvarint(b)
	if n <= 0 {
		return nil, fmt.Errorf("%w: it has no length", errPacked)
	}
	text, err := unpack(into[:0], true, a, b[n:])
	if err == nil && short > uint64(len(text)) {
		err = fmt.Errorf("%w: it is shorter than its first part", errPacked)
	}
	if err != nil {
		return nil, err
	}
	// The text begins where into does, so that into keeps its room.
	return text[:copy(text, text[short:])], nil
}
