// Package rows reads tables that people keep: with a header and columns separated by comma,
// semicolon or tab, or as one JSON object a line.
package rows

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"

	"github.com/assay-eval/assay/internal/text"
)

const (
	// largest limits a file.
	largest = 256 << 20
	// shown limits how many problems one error lists.
	shown = 20
)

// A Reader reads a table row by row. Its functions report problems with [Reader.Fail].
type Reader struct {
	// Name is that of the file in messages, Want what each row holds: "a label".
	Name, Want string
	// Header takes the columns of a table, or the sorted fields of an object, before the
	// row. After false nothing more is read. It may be nil.
	Header func(line int, columns []string, table bool) bool
	// Row takes a row: value is that of a column as JSON decodes it with numbers kept as
	// text, and always text in a table.
	Row func(line int, value func(column string) any)

	errs []error
}

// Fail reports a problem of a line.
func (r *Reader) Fail(line int, format string, args ...any) {
	r.errs = append(r.errs, fmt.Errorf("%s:%d: %s", r.Name, line, fmt.Sprintf(format, args...)))
}

// Failed counts the problems so far.
func (r *Reader) Failed() int { return len(r.errs) }

// Text returns a value of a row as text, "" for none; ok is false for a list or an object.
func Text(value any) (text string, ok bool) {
	switch v := value.(type) {
	case nil:
		return "", true
	case string:
		return v, true
	case json.Number:
		return v.String(), true
	case bool:
		return strconv.FormatBool(v), true
	}
	return "", false
}

// Read reads everything. Text is UTF-8, or UTF-16 with a byte order mark. The error has one
// problem a line, up to 20.
func (r *Reader) Read(in io.Reader) error {
	// The decoder of UTF-8 would replace bytes that are not UTF-8.
	b, err := io.ReadAll(io.LimitReader(transform.NewReader(in, unicode.BOMOverride(transform.Nop)), largest+1))
	if err != nil {
		return fmt.Errorf("%s: %w", r.Name, err)
	}
	if len(b) > largest {
		return fmt.Errorf("%s: larger than %d MB: expected a table with %s in each row", r.Name, largest>>20, r.Want)
	}
	if problem, line := text.NotText(b); problem != "" {
		where := r.Name
		if line > 0 {
			where = fmt.Sprintf("%s:%d", where, line)
		}
		return fmt.Errorf("%s: %s: expected %s", where, problem, text.Encoded)
	}
	switch start := bytes.TrimSpace(b); {
	case len(start) == 0:
		return fmt.Errorf("%s: empty file: expected a header and %s in each row", r.Name, r.Want)
	case start[0] == '{':
		r.lines(b)
	case start[0] == '[':
		return fmt.Errorf("%s:1: a JSON list: expected one JSON object a line, or a table with a header", r.Name)
	default:
		r.table(b)
	}
	if n := len(r.errs) - shown; n > 0 {
		r.errs = append(r.errs[:shown], fmt.Errorf("%s: %d more problems", r.Name, n))
	}
	return errors.Join(r.errs...)
}

// table reads rows below a header.
func (r *Reader) table(b []byte) {
	comma := separator(b)
	if comma == '\t' {
		b, _ = text.QuoteTabs(b)
	}
	in := csv.NewReader(bytes.NewReader(b))
	in.Comma = comma
	in.FieldsPerRecord = -1
	// A tab counts as space, and may be the separator.
	in.TrimLeadingSpace = in.Comma != '\t'
	header, err := in.Read()
	if err != nil {
		r.broken(err)
		return
	}
	for i, h := range header {
		header[i] = strings.TrimSpace(h)
	}
	if r.Header != nil && !r.Header(1, header, true) {
		return
	}
	for {
		row, err := in.Read()
		if err == io.EOF {
			return
		}
		if err != nil {
			r.broken(err)
			return
		}
		line, _ := in.FieldPos(0)
		if len(row) != len(header) {
			r.Fail(line, "%d columns: expected %d as in the header", len(row), len(header))
			continue
		}
		r.Row(line, func(column string) any {
			if i := slices.Index(header, column); i >= 0 {
				return strings.TrimSpace(row[i])
			}
			return nil
		})
	}
}

// broken reports a malformed row.
func (r *Reader) broken(err error) {
	var p *csv.ParseError
	if errors.As(err, &p) {
		r.Fail(p.Line, "column %d: %v: expected a table with quotes in pairs", p.Column, p.Err)
		return
	}
	r.errs = append(r.errs, fmt.Errorf("%s: %w", r.Name, err))
}

// separator is the most frequent separator of the first line.
func separator(b []byte) rune {
	first, _, _ := bytes.Cut(bytes.TrimLeft(b, "\r\n"), []byte{'\n'})
	best, most := ',', 0
	for _, c := range ",;\t" {
		if n := bytes.Count(first, []byte(string(c))); n > most {
			best, most = c, n
		}
	}
	return best
}

// lines reads a JSON object a line.
func (r *Reader) lines(b []byte) {
	s := bufio.NewScanner(bytes.NewReader(b))
	s.Buffer(nil, largest+1)
	for line := 1; s.Scan(); line++ {
		if len(bytes.TrimSpace(s.Bytes())) == 0 {
			continue
		}
		d := json.NewDecoder(bytes.NewReader(s.Bytes()))
		d.UseNumber()
		var row map[string]any
		if err := d.Decode(&row); err != nil {
			r.Fail(line, "%v: expected a JSON object", err)
			continue
		}
		if _, err := d.Token(); err != io.EOF {
			r.Fail(line, "text after the JSON object: expected one object a line")
			continue
		}
		// Objects need not all have the same fields.
		fields := make([]string, 0, len(row))
		for k := range row {
			fields = append(fields, k)
		}
		slices.Sort(fields)
		if r.Header != nil && !r.Header(line, fields, false) {
			return
		}
		r.Row(line, func(column string) any { return row[column] })
	}
	if err := s.Err(); err != nil {
		r.errs = append(r.errs, fmt.Errorf("%s: %w", r.Name, err))
	}
}
