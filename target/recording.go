package target

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/dataset/trec"
)

// A recording is the text of a file of responses, of which parts are read again later.
// Parts of a plain file are read from it. A text that is packed, in UTF-16, or comes
// from a pipe is copied to a temporary file.
type recording struct {
	name string
	from io.ReaderAt
	// start is the offset in from of the text.
	start int64
	// copied takes the copy of the text as it is read; nil if from is the file itself.
	copied *bufio.Writer
	// changed returns an error if the file is no longer what was read; nil cannot tell.
	changed func() error
	closes  []func() error
}

// errChanged means that a file of responses is not what it was when the run began.
var errChanged = errors.New("the file changed while the run read it: start a new run")

// unreadable is an error of a file of responses after its first reading. It ends the
// run, because it says nothing about the target.
type unreadable struct {
	name string
	line int
	err  error
}

func (u *unreadable) Error() string { return fmt.Sprintf("%s:%d: %v", u.name, u.line, u.err) }
func (u *unreadable) Unwrap() error { return u.err }

// Fatal makes the engine end the run.
func (u *unreadable) Fatal() bool { return true }

// openRecording returns the text of r, and the reader of its whole text, decoded and
// without a byte order mark, which is to be read first.
func openRecording(r io.Reader, name string) (*recording, io.Reader, error) {
	t := &recording{name: name}
	if at, start, head := plain(r); head != nil && !isPredictions(head) {
		if bytes.HasPrefix(head, []byte("\ufeff")) {
			start += int64(len("\ufeff"))
		}
		t.from, t.start = at, start
		return t, io.NewSectionReader(at, start, math.MaxInt64-start), nil
	}
	whole, err := trec.Decompress(r)
	if err != nil {
		return nil, nil, err
	}
	in := bufio.NewReaderSize(whole, headSize)
	text := io.Reader(in)
	// A short file is not an error here: readers report what is missing.
	if head, _ := in.Peek(headSize); isPredictions(head) {
		if text, err = predictions(in, name); err != nil {
			return nil, nil, errors.Join(err, whole.Close())
		}
	}
	f, err := os.CreateTemp("", "assay-responses-")
	if err != nil {
		return nil, nil, errors.Join(err, whole.Close())
	}
	t.from, t.copied = f, bufio.NewWriterSize(f, 1<<16)
	t.closes = []func() error{whole.Close, f.Close, func() error { return os.Remove(f.Name()) }}
	return t, io.TeeReader(text, t.copied), nil
}

// headSize is how much of a text tells its form.
const headSize = 1 << 16

// isPredictions reports whether a text begins as one JSON value of several records: a list of them, or {"id": "answer"} as
// SQuAD has predictions, where an object may be in the place of the answer.
func isPredictions(head []byte) bool {
	head = bytes.TrimPrefix(head, []byte("\ufeff"))
	d := json.NewDecoder(bytes.NewReader(head))
	open, _ := d.Token()
	for some := false; open == json.Delim('{'); some = true {
		name, err := d.Token()
		if name == json.Delim('}') {
			return some && len(bytes.TrimSpace(head[d.InputOffset():])) == 0
		}
		var v any
		if err == nil {
			err = d.Decode(&v)
		}
		if id, _ := name.(string); err != nil || responseFields[id] != "" {
			return some && responseFields[id] == ""
		}
		o, _ := v.(map[string]any)
		if _, text := v.(string); !text && v != nil && o["answer"] == nil && o["response"] == nil {
			return false
		}
	}
	return open == json.Delim('[')
}

// predictions returns the records of a value as lines, at the numbers of their lines if no two share one.
func predictions(in io.Reader, name string) (io.Reader, error) {
	data, err := io.ReadAll(in)
	if err != nil {
		return nil, err
	}
	d, line := json.NewDecoder(bytes.NewReader(data)), 0
	var out bytes.Buffer
	open, err := d.Token()
	for err == nil && d.More() {
		var id any
		if open == json.Delim('{') {
			id, err = d.Token()
		}
		var v json.RawMessage
		if err == nil {
			err = d.Decode(&v)
		}
		if err != nil {
			break
		}
		for ; line < bytes.Count(data[:d.InputOffset()-int64(len(v))], []byte("\n")); line++ {
			out.WriteByte('\n')
		}
		switch {
		case id == nil && v[0] != '{':
			err = errors.New(`the list must have objects, as in {"id": "q1", "answer": "…"}`)
		case id != nil:
			key, _ := json.Marshal(id)
			if v[0] != '{' {
				v = slices.Concat([]byte(`{"answer":`), v, []byte("}"))
			}
			v = slices.Concat([]byte(`{"id":`), key, []byte(","), v[1:])
		}
		err = cmp.Or(err, json.Compact(&out, v))
		out.WriteByte('\n')
		line++
	}
	if err == nil {
		_, err = d.Token()
	}
	switch rest := bytes.TrimSpace(data[d.InputOffset():]); {
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		err = errors.New("the JSON is cut short")
	case err == nil && len(rest) > 0:
		err = errors.New("text follows the JSON value: a file must have one value, or one JSON object per line")
	}
	if err != nil {
		return nil, &ParseError{assay.Origin{File: name, Line: 1 + bytes.Count(data[:d.InputOffset()], []byte("\n"))}, "", err.Error()}
	}
	return &out, nil
}

// plain returns the beginning of a text that can be read at offsets, and where it
// begins; nil if it is packed or in UTF-16, or cannot, as a pipe.
func plain(r io.Reader) (at io.ReaderAt, start int64, head []byte) {
	seeker, ok := r.(interface {
		io.ReaderAt
		io.Seeker
	})
	if !ok {
		return nil, 0, nil
	}
	start, err := seeker.Seek(0, io.SeekCurrent)
	if err != nil {
		return nil, 0, nil
	}
	head = make([]byte, headSize)
	n, err := seeker.ReadAt(head, start)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, 0, nil
	}
	for _, mark := range []string{"\x1f\x8b", "\x28\xb5\x2f\xfd", "\xff\xfe", "\xfe\xff"} {
		if bytes.HasPrefix(head[:n], []byte(mark)) {
			return nil, 0, nil
		}
	}
	return seeker, start, head[:n]
}

// end must be called after the text was read.
func (t *recording) end() error {
	if t.copied == nil {
		return nil
	}
	return t.copied.Flush()
}

// read returns a part of the text. At the end of the text it may be shorter.
func (t *recording) read(offset int64, size int) ([]byte, error) {
	if t.changed != nil {
		if err := t.changed(); err != nil {
			return nil, err
		}
	}
	part := make([]byte, size, size+1)
	n, err := t.from.ReadAt(part, offset)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return part[:n], err
}

func (t *recording) close() error {
	if t == nil {
		return nil
	}
	var errs []error
	for _, end := range t.closes {
		errs = append(errs, end())
	}
	t.closes = nil
	return errors.Join(errs...)
}

// unchanged returns a function that returns an error once the file has another size or
// another time of change.
func unchanged(f *os.File) func() error {
	was, err := f.Stat()
	if err != nil || !was.Mode().IsRegular() {
		return nil
	}
	var size, at = was.Size(), was.ModTime()
	return func() error {
		is, err := f.Stat()
		if err == nil && (is.Size() != size || !is.ModTime().Equal(at)) {
			err = errChanged
		}
		return err
	}
}
