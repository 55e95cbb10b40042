package trec

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/assay-eval/assay/internal/text"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

const (
	// sourceBuffer is large enough to make the number of reads irrelevant.
	sourceBuffer = 256 << 10
	// maxWindow bounds the memory of the zstd decoder.
	maxWindow = 128 << 20
)

var (
	gzipMagic = []byte{0x1f, 0x8b}
	zstdMagic = []byte{0x28, 0xb5, 0x2f, 0xfd}
	utf8Mark  = []byte{0xef, 0xbb, 0xbf}
)

// truncated is the error for truncated compressed data.
type truncated struct{}

func (truncated) Error() string {
	return "the compressed data ends too early: expected a complete file"
}

// Unwrap returns io.ErrUnexpectedEOF. The distinct type prevents readers in
// between, which compare by identity, from treating it as the end of the text.
func (truncated) Unwrap() error { return io.ErrUnexpectedEOF }

// unpacking reads from a decompressor.
type unpacking struct{ io.Reader }

func (u unpacking) Read(b []byte) (int, error) {
	n, err := u.Reader.Read(b)
	if errors.Is(err, io.ErrUnexpectedEOF) {
		err = truncated{}
	}
	return n, err
}

// Decompress returns the text in r as UTF-8: it decompresses gzip and zstd,
// decodes UTF-16 with a byte order mark, and removes the mark. Truncated
// compressed data returns an error that wraps [io.ErrUnexpectedEOF], and data of
// a known kind that is no text one that says what to do. Close frees
// the decompressor; it does not close r.
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
		// One goroutine is enough; the caller uses the other cores.
		z, err := zstd.NewReader(raw, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxWindow))
		if err != nil {
			return nil, fmt.Errorf("zstd: %w", err)
		}
		return newText(bufio.NewReaderSize(unpacking{z}, sourceBuffer), z.Close)
	}
	return newText(raw, func() {})
}

// textReader is a reader with a function that frees its decompressor.
type textReader struct {
	*bufio.Reader
	free func()
}

func (t textReader) Close() error {
	t.free()
	return nil
}

func newText(r *bufio.Reader, free func()) (io.ReadCloser, error) {
	head, err := r.Peek(512)
	if kind := text.Other(head); kind != "" {
		err = errors.New(text.Convert(kind))
	} else if len(head) > 2 || errors.Is(err, io.EOF) {
		err = nil // of what follows, the next read tells
	}
	if err != nil {
		free()
		return nil, err
	}
	if bytes.HasPrefix(head, utf8Mark) {
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
