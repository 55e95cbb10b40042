package dataset

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/assay-eval/assay/dataset/trec"
	"github.com/assay-eval/assay/internal/text"
)

const (
	// headSize is how much of a file is used to detect its format.
	headSize = 64 << 10
	// maxLine bounds a line, so that binary data without line ends fails early. A
	// thousand passages of a page each fit.
	maxLine = 16 << 20
	// maxWhole bounds a file that must be read as a whole.
	maxWhole = 256 << 20
	// maxYAML bounds a YAML file; the parser needs many times the size of the
	// text.
	maxYAML = 16 << 20
)

// A source is what a path refers to: a text file, a file of rows with types or a folder.
type source struct {
	path string
	// name is the path in messages.
	name     string
	modified time.Time
	// folder is set for a directory and for a zip archive.
	folder *folder
	// rows is set for a file of rows with types, and for a folder of such files.
	rows *parquetFile
	// text is set for any other file.
	text *textFile
	file *os.File
}

func (s *source) close() {
	if s.folder != nil {
		s.folder.close()
	}
	if s.text != nil {
		s.text.free()
	}
	if s.file != nil {
		s.file.Close()
	}
}

// open examines a path. Of a file of text it reads only the beginning. The limits of
// the options bound everything that will be read.
func open(path, name string, o Options) (*source, error) {
	left := o.left()
	st, err := os.Stat(path)
	if err != nil {
		return nil, pathError(name, err)
	}
	s := &source{path: path, name: name, modified: st.ModTime()}
	if st.IsDir() {
		for _, saved := range []string{"state.json", "dataset_dict.json"} {
			if _, err := os.Stat(filepath.Join(path, saved)); err == nil {
				return nil, arrowError(name)
			}
		}
		s.folder = openDirectory(path)
		s.folder.left = left
		return s, nil
	}
	if !st.Mode().IsRegular() {
		return nil, &Error{File: name, Index: -1, Problem: "is not a regular file", Want: "a file, or a BEIR directory or zip"}
	}
	if s.file, err = os.Open(path); err != nil {
		return nil, pathError(name, err)
	}
	magic := make([]byte, 8)
	n, err := s.file.ReadAt(magic, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		s.close()
		return nil, pathError(name, err)
	}
	magic, err = magic[:n], nil
	switch {
	case isParquet(magic):
		s.rows, err = openParquet(s.file, st.Size(), name, o)
	case bytes.HasPrefix(magic, []byte("ARROW1")), strings.HasSuffix(name, ".arrow"), strings.HasSuffix(name, ".feather"):
		err = arrowError(name)
	}
	if err != nil {
		s.close()
		return nil, err
	}
	if s.rows != nil {
		return s, nil
	}
	if isZip(magic) {
		if s.folder, err = openZip(s.file, st.Size(), name); err != nil {
			s.close()
			return nil, err
		}
		s.folder.left = left
		return s, nil
	}
	if s.text, err = newText(s.file, name, st.Size(), left); err != nil {
		s.close()
		return nil, err
	}
	return s, nil
}

// arrowError is the error about a file or folder of Arrow, such as one that save_to_disk of
// Hugging Face datasets wrote.
func arrowError(name string) error {
	return fmt.Errorf("%s: assay does not read Arrow files. Save it as Parquet or JSON Lines, for example with Dataset.to_parquet.", name) //nolint:staticcheck // two sentences
}

// pathError describes a problem with a path, under the name that the user knows.
func pathError(name string, err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		err = p.Err
	}
	return fmt.Errorf("%s: %w", name, err)
}

// A textFile is a file decoded to UTF-8, without a byte order mark.
type textFile struct {
	name string
	in   *bufio.Reader
	// head is the beginning of the text, at most headSize bytes, cut between
	// runes.
	head []byte
	// all is set when head is the whole text.
	all bool
	// size is the file's size in bytes where it bounds the size of the text, else
	// 0.
	size int64
	// free releases the decompressor.
	free func()
}

// newText decodes what [trec.Decompress] does, and rejects data whose beginning is not
// text. size is the size of r in bytes, 0 if unknown; left bounds the text.
func newText(r io.Reader, name string, size int64, left *left) (_ *textFile, err error) {
	raw := bufio.NewReaderSize(r, headSize)
	magic, err := peek(raw, name)
	if err != nil {
		return nil, err
	}
	if bytes.HasPrefix(magic, []byte{0x1f, 0x8b}) || bytes.HasPrefix(magic, []byte{0x28, 0xb5, 0x2f, 0xfd}) {
		size = 0
	}
	unpacked, err := trec.Decompress(raw)
	if err != nil {
		return nil, &Error{File: name, Index: -1, Problem: err.Error()}
	}
	free := func() { unpacked.Close() }
	defer func() {
		if err != nil {
			free()
		}
	}()
	in := bufio.NewReaderSize(left.of(unpacked, name), headSize)
	head, err := peek(in, name)
	if err != nil {
		return nil, err
	}
	if bytes.IndexByte(head, '\n') < 0 && bytes.IndexByte(bytes.TrimSpace(head), '\r') >= 0 {
		in = bufio.NewReaderSize(crLines{in}, headSize)
		if head, err = peek(in, name); err != nil {
			return nil, err
		}
	}
	t := &textFile{name: name, in: in, head: head, all: len(head) < headSize, size: size, free: free}
	if !t.all {
		// The last rune may extend beyond the head.
		for cut := 1; cut < utf8.UTFMax && cut < len(head); cut++ {
			if r := head[len(head)-cut:]; utf8.RuneStart(r[0]) {
				if !utf8.FullRune(r) {
					t.head = head[:len(head)-cut]
				}
				break
			}
		}
	}
	if len(bytes.TrimSpace(t.head)) == 0 {
		if !t.all {
			return nil, &Error{File: name, Index: -1, Problem: fmt.Sprintf("nothing but white space in the first %d bytes", headSize),
				Want: "a dataset"}
		}
		return nil, &Error{File: name, Index: -1, Problem: "empty file", Want: "at least one case"}
	}
	if problem, line := text.NotText(t.head); problem != "" {
		return nil, &Error{File: name, Line: line, Index: -1, Problem: problem, Want: text.Encoded}
	}
	return t, nil
}

// crLines reads text whose lines end with CR alone, as old Macs write them.
type crLines struct{ io.Reader }

func (r crLines) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	for i, c := range p[:n] {
		if c == '\r' {
			p[i] = '\n'
		}
	}
	return n, err
}

// peek returns the beginning of a file without consuming it.
func peek(in *bufio.Reader, name string) ([]byte, error) {
	head, err := in.Peek(headSize)
	if err != nil && err != io.EOF {
		return nil, unreadable(name, 0, err)
	}
	return head, nil
}

// unreadable adds the position in the file to an error of the reader.
func unreadable(name string, line int, err error) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	var e *Error
	if errors.As(err, &e) {
		return e
	}
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return &Error{File: name, Line: line, Index: -1, Problem: "the compressed data ends too early", Want: "a complete file"}
	}
	return &Error{File: name, Line: line, Index: -1, Problem: err.Error()}
}

// whole reads the whole text, at most limit bytes.
func (t *textFile) whole(limit int) ([]byte, error) {
	// UTF-16 takes up to twice as many bytes.
	tooLong := t.size > 2*int64(limit)
	var data []byte
	if !tooLong {
		var err error
		if data, err = io.ReadAll(io.LimitReader(t.in, int64(limit)+1)); err != nil {
			return nil, unreadable(t.name, 0, err)
		}
	}
	if tooLong || len(data) > limit {
		return nil, &Error{File: t.name, Index: -1, Problem: fmt.Sprintf("longer than %d MB", limit>>20),
			Want: "one JSON object per line for data of this size"}
	}
	if problem, line := text.NotText(data); problem != "" {
		return nil, &Error{File: t.name, Line: line, Index: -1, Problem: problem, Want: "text in UTF-8"}
	}
	return data, nil
}

// lines calls fn with the number, from 1, and the content of every line that is
// not blank, trimmed. The line is valid until fn returns. A line that is not
// text, or is too long, stops the reading.
func (t *textFile) lines(ctx context.Context, fn func(line int, b []byte) error) error {
	var long []byte
	for n := 1; ; n++ {
		b, err := t.in.ReadSlice('\n')
		if errors.Is(err, bufio.ErrBufferFull) {
			long = long[:0]
			for errors.Is(err, bufio.ErrBufferFull) {
				if len(long)+len(b) > maxLine {
					return &Error{File: t.name, Line: n, Index: -1, Problem: fmt.Sprintf("the line is longer than %d MB", maxLine>>20),
						Want: "one record per line"}
				}
				long = append(long, b...)
				b, err = t.in.ReadSlice('\n')
			}
			long = append(long, b...)
			b = long
		}
		if err != nil && err != io.EOF {
			return unreadable(t.name, n, err)
		}
		if n%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if b = bytes.TrimSpace(b); len(b) > 0 {
			if problem, _ := text.NotText(b); problem != "" {
				return &Error{File: t.name, Line: n, Index: -1, Problem: problem, Want: "text in UTF-8"}
			}
			if err := fn(n, b); err != nil {
				return err
			}
		}
		if err == io.EOF {
			return nil
		}
	}
}
