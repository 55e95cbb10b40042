package trec

import (
	"bufio"
	"bytes"
	"fmt"
	"io"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
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

// Decompress returns the text in r: unpacked when its content is that of gzip
// or zstd, and without the byte order mark of UTF-8. Text in UTF-16 is an
// error. Close frees the unpacker; it does not close r.
func Decompress(r io.Reader) (io.ReadCloser, error) {
	raw := bufio.NewReaderSize(r, sourceBuffer)
	head, err := raw.Peek(4)
	if err != nil && err != io.EOF {
		return nil, err
	}
	switch {
	case bytes.HasPrefix(head, gzipMagic):
		z, err := gzip.NewReader(raw)
		if err != nil {
			return nil, fmt.Errorf("gzip: %w", err)
		}
		return newText(bufio.NewReaderSize(z, sourceBuffer), func() { _ = z.Close() })
	case bytes.Equal(head, zstdMagic):
		// One goroutine: the caller's own use the other cores.
		z, err := zstd.NewReader(raw, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxWindow))
		if err != nil {
			return nil, fmt.Errorf("zstd: %w", err)
		}
		return newText(bufio.NewReaderSize(z, sourceBuffer), z.Close)
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
		free()
		return nil, fmt.Errorf("the text is UTF-16: want UTF-8")
	}
	return textReader{r, free}, nil
}
