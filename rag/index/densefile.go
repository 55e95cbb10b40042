package index

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"os"
	"unsafe"

	"github.com/assay-eval/assay/internal/atomic"
)

// denseMagic begins a file of vectors; its last byte is the version.
const denseMagic = "assayVC\x01"

// denseHeader is followed by the vectors: little-endian float32, row by row, and
// nothing else. Its length keeps them aligned if the file is mapped.
type denseHeader struct {
	Magic    [8]byte
	Checksum uint32 // CRC-32C of the rest of the header
	Vectors  uint32 // CRC-32C of the vectors
	Rows     uint64
	Dim      uint32
	_        [36]byte
}

const (
	denseHeaderLen = 64
	// copyFloats is how many numbers are converted to bytes at a time.
	copyFloats = 1 << 14
)

// isLittleEndian reports whether the byte order in memory is that of files.
func isLittleEndian() bool { return binary.NativeEndian.Uint16([]byte{1, 0}) == 1 }

// WriteFile writes the vectors to a file atomically.
func (d *Dense) WriteFile(path string) error {
	return atomic.WriteFile(path, d.write)
}

func (d *Dense) write(w io.Writer) error {
	h := denseHeader{Magic: [8]byte([]byte(denseMagic)), Rows: uint64(d.rows), Dim: uint32(d.dim)}
	err := d.bytes(func(b []byte) error {
		h.Vectors = crc32.Update(h.Vectors, castagnoli, b)
		return nil
	})
	if err != nil {
		return err
	}
	var head bytes.Buffer
	if err := binary.Write(&head, binary.LittleEndian, &h); err != nil {
		return err
	}
	binary.LittleEndian.PutUint32(head.Bytes()[8:], crc32.Checksum(head.Bytes()[checksummed:], castagnoli))
	if _, err := w.Write(head.Bytes()); err != nil {
		return err
	}
	return d.bytes(func(b []byte) error {
		_, err := w.Write(b)
		return err
	})
}

// bytes passes the matrix to f in pieces, in the file's byte order.
func (d *Dense) bytes(f func([]byte) error) error {
	buf := make([]byte, 0, 4*copyFloats)
	for rest := d.data; len(rest) > 0; {
		n := min(copyFloats, len(rest))
		buf = buf[:0]
		for _, v := range rest[:n] {
			buf = binary.LittleEndian.AppendUint32(buf, math.Float32bits(v))
		}
		if err := f(buf); err != nil {
			return err
		}
		rest = rest[n:]
	}
	return nil
}

// OpenDense opens a file that WriteFile wrote. If the system supports it, the file is
// mapped into memory: opening reads only the header and checks it and the size, but not
// the vectors; [Dense.Verify] does. The file must not be changed in place while it is
// open; replacing it with a new one, as WriteFile does, is allowed. An error that wraps
// [ErrUnusable] means that the file exists but is not usable.
func OpenDense(path string) (*Dense, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	var head [denseHeaderLen]byte
	n, err := io.ReadFull(f, head[:])
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, err
	}
	d, err := parseDense(head[:n], info.Size())
	if err != nil {
		return nil, fmt.Errorf("%s: %w: %w", path, ErrUnusable, err)
	}
	if d.rows == 0 {
		return d, nil
	}
	if err := d.load(f, int(info.Size())); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return d, nil
}

// parseDense parses a header and compares it with the file's size.
func parseDense(head []byte, size int64) (*Dense, error) {
	var h denseHeader
	if err := readHeader(head, denseHeaderLen, denseMagic, &h); err != nil {
		return nil, err
	}
	if sum := crc32.Checksum(head[checksummed:], castagnoli); sum != h.Checksum {
		return nil, fmt.Errorf("checksum of the header %08x: want %08x", sum, h.Checksum)
	}
	if h.Dim < 1 || h.Dim > math.MaxInt32 || h.Rows > math.MaxInt32 {
		return nil, fmt.Errorf("%d vectors of %d numbers", h.Rows, h.Dim)
	}
	if want := h.Rows * uint64(h.Dim); want > (math.MaxInt64-denseHeaderLen)/4 || size != denseHeaderLen+4*int64(want) {
		return nil, fmt.Errorf("%d bytes: want those of %d vectors of %d numbers", size, h.Rows, h.Dim)
	}
	return &Dense{dim: int(h.Dim), rows: int(h.Rows), opened: true, sum: h.Vectors}, nil
}

// load maps the vectors, or reads them if mapping is not possible.
func (d *Dense) load(f *os.File, size int) error {
	if isLittleEndian() {
		mapped, unmap, err := mapFile(f, size)
		if err == nil {
			d.data = unsafe.Slice((*float32)(unsafe.Pointer(&mapped[denseHeaderLen])), d.rows*d.dim)
			d.close = unmap
			return nil
		}
		if !errors.Is(err, errors.ErrUnsupported) {
			return err
		}
	}
	d.data = make([]float32, d.rows*d.dim)
	buf := make([]byte, 4*copyFloats)
	for rest := d.data; len(rest) > 0; {
		n := min(copyFloats, len(rest))
		if _, err := io.ReadFull(f, buf[:4*n]); err != nil {
			return err
		}
		for i := range rest[:n] {
			rest[i] = math.Float32frombits(binary.LittleEndian.Uint32(buf[4*i:]))
		}
		rest = rest[n:]
	}
	return nil
}

// Verify compares all vectors of an opened file with their checksum; a mismatch is an
// error that wraps [ErrUnusable]. Without a file there is nothing to check.
func (d *Dense) Verify() error {
	if !d.opened {
		return nil
	}
	var sum uint32
	err := d.bytes(func(b []byte) error {
		sum = crc32.Update(sum, castagnoli, b)
		return nil
	})
	if err == nil && sum != d.sum {
		return fmt.Errorf("dense index: %w: checksum of the vectors %08x: want %08x", ErrUnusable, sum, d.sum)
	}
	return err
}

// Close releases the memory of an opened file. After it the index and its vectors must
// not be used.
func (d *Dense) Close() error {
	unmap := d.close
	d.data, d.rows, d.close = nil, 0, nil
	if unmap == nil {
		return nil
	}
	return unmap()
}
