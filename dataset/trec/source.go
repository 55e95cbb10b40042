package trec

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

const (
	// sourceBuffer makes reads large enough that their number costs nothing.
	sourceBuffer = 256 << 10
	// maxWindow bounds what a zstd file can make its reader hold.
	maxWindow = 128 << 20
)

var (
	gzipMagic = []byte{0x1f, 0x8b}
	zstdMagic = []byte{0x28, 0xb5, 0x2f, 0xfd}
	utf8Mark  = []byte{0xef, 0xbb, 0xbf}
)

// truncated is the error of packed data without their end.
type truncated struct{}

func (truncated) Error() string { return "the packed data end too early: want a whole file" }

// Unwrap tells callers what it is, and lets no reader in between take it for
// the end of the text: those compare by identity.
func (truncated) Unwrap() error { return io.ErrUnexpectedEOF }

// unpacking reads from what unpacks.
type unpacking struct{ io.Reader }

func (u unpacking) Read(b []byte) (int, error) {
	n, err := u.Reader.Read(b)
	if errors.Is(err, io.ErrUnexpectedEOF) {
		err = truncated{}
	}
	return n, err
}

// Decompress returns the text in r as UTF-8: unpacked when its content is that
// of gzip or zstd, decoded when it is UTF-16 with a byte order mark, and without
// such a mark. Packed data that end too early give an error that is
// [io.ErrUnexpectedEOF]. Close frees the unpacker; it does not close r.
func Decompress(r io.Reader) (io.ReadCloser, error) {
	raw := bufio.NewReaderSize(r, sourceBuffer)
	head, err := raw.Peek(4)
	if err != nil && err != io.EOF {
		return nil, err
	}
	switch {
	case bytes.HasPrefix(head, gzipMagic):
		z, err := gzip.NewReader(raw)
		switch {
		case errors.Is(err, io.ErrUnexpectedEOF):
			return nil, truncated{}
		case err != nil:
			return nil, fmt.Errorf("gzip: %w", err)
		}
		return newText(bufio.NewReaderSize(unpacking{z}, sourceBuffer), func() { _ = z.Close() })
	case bytes.Equal(head, zstdMagic):
		// One goroutine: the caller's own use the other cores.
		z, err := zstd.NewReader(raw, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxWindow))
		if err != nil {
			return nil, fmt.Errorf("zstd: %w", err)
		}
		return newText(bufio.NewReaderSize(unpacking{z}, sourceBuffer), z.Close)
	}
	return newText(raw, func() {})
}

// textReader is a reader with what frees it.
type textReader struct {
	*bufio.Reader
	free func()
}

func (t textReader) Close() error {
	t.free()
	return nil
}

func newText(r *bufio.Reader, free func()) (io.ReadCloser, error) {
	head, err := r.Peek(3)
	if err != nil && err != io.EOF {
		free()
		return nil, err
	}
	if bytes.Equal(head, utf8Mark) {
		if _, err := r.Discard(len(utf8Mark)); err != nil {
			free()
			return nil, err
		}
	}
	if len(head) > 1 && (head[0] == 0xff && head[1] == 0xfe || head[0] == 0xfe && head[1] == 0xff) {
		decoder := unicode.UTF16(unicode.LittleEndian, unicode.ExpectBOM).NewDecoder()
		r = bufio.NewReaderSize(transform.NewReader(r, decoder), sourceBuffer)
	}
	return textReader{r, free}, nil
}
