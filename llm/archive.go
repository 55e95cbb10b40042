package llm

import (
	"bufio"
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/callkey"
	"github.com/assay-eval/assay/internal/checksum"
)

// archiveFormat is the format in the first line of an archive.
const archiveFormat = "assay.ledger/1"

// longestLine is the maximum length of a line of an archive, in bytes: many times the
// largest context window of a model.
const longestLine = 64 << 20

// archiveHead is the first line of an archive.
type archiveHead struct {
	Format string `json:"format"`
	Calls  int    `json:"calls"`
}

// WriteArchive writes calls as an archive in JSON Lines: a header with the number of
// calls, then one call per line with a checksum of the line. calls must yield them in ascending order of their
// keys; it is iterated twice, first to count. Equal calls yield equal bytes.
// WriteArchive returns the number of calls.
func WriteArchive(w io.Writer, calls iter.Seq2[assay.Call, error]) (int, error) {
	head := archiveHead{Format: archiveFormat}
	for _, err := range calls {
		if err != nil {
			return 0, err
		}
		head.Calls++
	}
	b := bufio.NewWriter(w)
	if err := json.NewEncoder(b).Encode(head); err != nil {
		return 0, err
	}
	n, last := 0, ""
	for call, err := range calls {
		if err != nil {
			return 0, err
		}
		if err := checkCall(call); err != nil {
			return 0, fmt.Errorf("call %q: %w", call.Key, err)
		}
		if call.Key <= last {
			return 0, fmt.Errorf("call %q comes after %q: expected ascending keys", call.Key, last)
		}
		call.Made = call.Made.UTC()
		line, err := checksum.Line(call)
		if err == nil {
			_, err = b.Write(line)
		}
		if err != nil {
			return 0, err
		}
		n, last = n+1, call.Key
	}
	if n != head.Calls {
		return 0, fmt.Errorf("the ledger had %d calls and now has %d: expected no writes during the export", head.Calls, n)
	}
	return n, b.Flush()
}

// ReadArchive yields the calls of an archive, which may be compressed with gzip. It
// checks every call: the line must match its checksum, if it has one, the key must match
// the request, and the reply must be readable.
// The first error ends the sequence; it states the line, with name as the name of the
// file. A truncated archive is an error.
func ReadArchive(r io.Reader, name string) iter.Seq2[assay.Call, error] {
	return func(yield func(assay.Call, error) bool) {
		plain, err := Decompress(r)
		if err != nil {
			yield(assay.Call{}, fmt.Errorf("%s: %w", name, err))
			return
		}
		a := archive{lines: bufio.NewScanner(plain)}
		a.lines.Buffer(nil, longestLine)
		for err = a.head(); err == nil; {
			var call assay.Call
			if call, err = a.next(); err == nil && !yield(call, nil) {
				return
			}
		}
		if !errors.Is(err, errEnd) {
			yield(assay.Call{}, fmt.Errorf("%s:%d: %w", name, a.line, err))
		}
	}
}

// Decompress returns a reader of r that decompresses gzip, recognized by its magic
// number. [ReadArchive] calls it itself.
func Decompress(r io.Reader) (*bufio.Reader, error) {
	b := bufio.NewReader(r)
	magic, err := b.Peek(2)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	if !bytes.Equal(magic, []byte{0x1f, 0x8b}) {
		return b, nil
	}
	z, err := gzip.NewReader(b)
	return bufio.NewReader(z), err
}

type archive struct {
	lines *bufio.Scanner
	line  int // the number of the last line read
	want  int
	read  int
	last  string
}

func (a *archive) head() error {
	text, err := a.readLine()
	var h archiveHead
	if err == nil {
		err = strict(bytes.TrimPrefix(text, []byte("\ufeff")), &h)
	}
	switch {
	case errors.Is(err, errEnd):
		return fmt.Errorf("the file is empty: expected a ledger that assay store export wrote")
	case h.Format != archiveFormat:
		return fmt.Errorf("%s: expected a ledger that assay store export wrote, whose first line has the format %q", unlike(h.Format, err), archiveFormat)
	case err != nil:
		return err
	case h.Calls < 0:
		return fmt.Errorf("calls is %d: expected the number of lines that follow", h.Calls)
	}
	a.want = h.Calls
	return nil
}

// unlike describes a first line that is not a valid header.
func unlike(format string, err error) string {
	if format != "" {
		return fmt.Sprintf("the format is %q", format)
	}
	if err != nil {
		return fmt.Sprintf("it is not a header (%v)", err)
	}
	return "it has no format"
}

// errEnd is the error after the last line. That of a call may wrap io.EOF.
var errEnd = errors.New("the archive ends")

// next reads a call. The error is errEnd after the last one.
func (a *archive) next() (call assay.Call, err error) {
	text, err := a.readLine()
	switch {
	case errors.Is(err, errEnd) && a.read != a.want:
		return call, fmt.Errorf("the file ends after %d calls: expected the %d that its header announces", a.read, a.want)
	case err != nil:
		return call, err
	case a.read == a.want:
		return call, fmt.Errorf("one call too many: expected the %d declared in the first line", a.want)
	}
	if text, err = checksum.Cut(text); err == nil {
		err = strict(text, &call)
	}
	if err == nil {
		err = checkCall(call)
	}
	if err == nil && call.Key <= a.last {
		err = fmt.Errorf("key %q comes after %q: expected ascending keys", call.Key, a.last)
	}
	a.read, a.last = a.read+1, call.Key
	return call, err
}

// readLine returns the next line without its line ending, or errEnd.
func (a *archive) readLine() ([]byte, error) {
	a.line++
	if a.lines.Scan() {
		return a.lines.Bytes(), nil
	}
	if errors.Is(a.lines.Err(), bufio.ErrTooLong) {
		return nil, fmt.Errorf("the line is longer than %d MB: expected one call a line", longestLine>>20)
	}
	return nil, cmp.Or(a.lines.Err(), errEnd)
}

// strict decodes exactly one JSON value, without unknown fields, into v.
func strict(text []byte, v any) error {
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	if err := dec.Decode(v); err != nil {
		if errors.Is(err, io.EOF) {
			return fmt.Errorf("the line is empty: expected one JSON object a line")
		}
		if errors.Is(err, io.ErrUnexpectedEOF) {
			return fmt.Errorf("the JSON object is cut short")
		}
		return err
	}
	if _, err := dec.Token(); err != io.EOF {
		return fmt.Errorf("more follows the JSON object: expected one a line")
	}
	return nil
}

// checkCall returns an error if a call is inconsistent.
func checkCall(c assay.Call) error {
	request, err := callkey.Canonical(c.Request)
	if err != nil {
		return fmt.Errorf("request: %w", err)
	}
	if key := callkey.Of(request); c.Key != key {
		return fmt.Errorf("key %q does not match the request, whose key is %q", c.Key, key)
	}
	var about struct{ Version, Provider, Model string }
	if err := json.Unmarshal(request, &about); err != nil {
		return fmt.Errorf("request: %w", err)
	}
	if about.Version != keyVersion || about.Provider != c.Provider || about.Model != c.Model {
		return fmt.Errorf("the request is %q to %s %s: expected %q to %s %s, as the call says", about.Version, about.Provider, about.Model,
			keyVersion, c.Provider, c.Model)
	}
	if _, err := readReply(c); err != nil {
		return fmt.Errorf("reply: %w", err)
	}
	if u := c.Usage; u.InputTokens < 0 || u.OutputTokens < 0 || u.Cost < 0 || c.Latency < 0 {
		return fmt.Errorf("usage %+v and latency %v: must not be negative", u, c.Latency)
	}
	// RFC 3339 can only express these years.
	if y := c.Made.UTC().Year(); c.Made.IsZero() || y < 1 || y > 9999 {
		return fmt.Errorf("made is %s: expected the time of the call", c.Made.Format(time.RFC3339))
	}
	return nil
}
