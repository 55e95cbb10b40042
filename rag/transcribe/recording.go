// Package transcribe turns speech into text: by a server that speaks OpenAI's
// /v1/audio/transcriptions, or by a command. A [Ledgered] transcriber asks
// either through the client of package llm, so that no recording is paid for
// twice.
//
// Errors are an *[llm.Error], or that of the context.
package transcribe

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/text"
	"github.com/assay-eval/assay/llm"
)

// MaxRecording bounds a recording in bytes.
const MaxRecording = 100 << 20

// A content is a recording that is open for reading.
type content struct {
	io.ReaderAt
	size int64
	file *os.File // nil when the bytes are in memory
	// format is one of [Formats], by the bytes.
	format string
}

// close gives the file back, of which nothing was written.
func (c *content) close() {
	if c.file != nil {
		_ = c.file.Close()
	}
}

// whole gives all bytes from the first.
func (c *content) whole() *io.SectionReader { return io.NewSectionReader(c, 0, c.size) }

// open opens a recording and looks at its format.
func open(r assay.Recording) (*content, error) {
	c := &content{ReaderAt: bytes.NewReader(r.Data), size: int64(len(r.Data))}
	if r.Path != "" {
		f, err := os.Open(r.Path)
		if err != nil {
			return nil, err
		}
		info, err := f.Stat()
		if err == nil && !info.Mode().IsRegular() {
			err = errors.New("expected a file")
		}
		if err != nil {
			return nil, errors.Join(err, f.Close())
		}
		c.ReaderAt, c.size, c.file = f, info.Size(), f
	}
	var err error
	switch {
	case c.size == 0:
		err = errors.New("empty: expected a recording")
	case c.size > MaxRecording:
		err = fmt.Errorf("%d bytes: expected at most %d MiB", c.size, MaxRecording>>20)
	default:
		c.format, err = formatOf(c)
	}
	if err != nil {
		c.close()
		return nil, err
	}
	return c, nil
}

// name is what a recording is called in messages and to a server: the last
// element of its name, or of its path.
func name(r assay.Recording) string {
	for _, s := range []string{r.Name, r.Path} {
		if s = s[strings.LastIndexAny(s, `/\`)+1:]; s != "" {
			return s
		}
	}
	return "recording"
}

// fileName is a name with the extension that the content has.
func fileName(r assay.Recording, format string) string {
	n := name(r)
	return strings.TrimSuffix(n, filepath.Ext(n)) + "." + format
}

// unusable is the error for a recording that no transcriber can take.
func unusable(provider, model string, r assay.Recording, err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		// The name is said once, and not where the file lies.
		err = path.Err
	}
	message := fmt.Sprintf("recording %q: %v", text.Visible(name(r)), err)
	return &llm.Error{Kind: llm.KindRequest, Provider: provider, Model: model, Message: message, Err: err, Attempts: 1}
}

// language gives the code that is passed on; "" leaves it to the transcriber.
func language(r assay.Recording) string {
	if r.Language == "auto" {
		return ""
	}
	return r.Language
}
