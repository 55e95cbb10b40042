package reply

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// decodeJSON decodes one JSON value, with numbers as json.Number. encoding/json reports
// syntax errors and decodes deeply nested values.
func decodeJSON(raw []byte) (any, error) {
	if v, ok := quickly(raw); ok {
		return v, nil
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return nil, syntaxError(raw, err)
	}
	rest := bytes.TrimLeft(raw[d.InputOffset():], " \t\r\n")
	if len(rest) > 0 {
		return nil, fmt.Errorf("offset %d: %q follows the JSON value: want one value", len(raw)-len(rest), beginning(rest))
	}
	return v, nil
}

// syntaxError describes where the JSON in raw is wrong.
func syntaxError(raw []byte, err error) error {
	var syntax *json.SyntaxError
	switch {
	case errors.Is(err, io.EOF):
		return errors.New("the reply is empty: want JSON")
	case errors.Is(err, io.ErrUnexpectedEOF):
		return fmt.Errorf("the JSON ends within a value, at offset %d", len(raw))
	case errors.As(err, &syntax):
		return fmt.Errorf("invalid JSON: offset %d: %w: the reply begins %q", syntax.Offset, err, beginning(raw))
	}
	return fmt.Errorf("invalid JSON: %w", err)
}

// quickly decodes one JSON value as encoding/json does with UseNumber, in one pass and
// without a copy of the input: decoding replies is most of the cost of a case apart
// from the connection. ok is false for invalid UTF-8 or JSON, and for nesting deeper
// than maxNesting.
func quickly(raw []byte) (v any, ok bool) {
	q := quick{raw: raw}
	v, ok = q.value(0)
	q.space()
	return v, ok && q.at == len(raw)
}

// maxNesting is deeper than any real reply and safe for the stack.
const maxNesting = 200

// A quick reads raw from at on. Its methods return false at the first unexpected byte.
type quick struct {
	raw []byte
	at  int
}

func (q *quick) space() {
	for q.at < len(q.raw) && (q.raw[q.at] == ' ' || q.raw[q.at] == '\n' || q.raw[q.at] == '\t' || q.raw[q.at] == '\r') {
		q.at++
	}
}

// next skips white space and consumes the byte c if it is next.
func (q *quick) next(c byte) bool {
	q.space()
	if q.at < len(q.raw) && q.raw[q.at] == c {
		q.at++
		return true
	}
	return false
}

func (q *quick) value(depth int) (any, bool) {
	q.space()
	if q.at == len(q.raw) || depth > maxNesting {
		return nil, false
	}
	switch q.raw[q.at] {
	case '{':
		return q.object(depth)
	case '[':
		return q.list(depth)
	case '"':
		q.at++
		return boxed(q.text())
	case 't':
		return true, q.word("true")
	case 'f':
		return false, q.word("false")
	case 'n':
		return nil, q.word("null")
	}
	return boxed(q.number())
}

func boxed[T any](v T, ok bool) (any, bool) { return v, ok }

func (q *quick) word(w string) bool {
	if !bytes.HasPrefix(q.raw[q.at:], []byte(w)) {
		return false
	}
	q.at += len(w)
	return true
}

func (q *quick) object(depth int) (any, bool) {
	q.at++
	o := map[string]any{}
	if q.next('}') {
		return o, true
	}
	for {
		if !q.next('"') {
			return nil, false
		}
		key, ok := q.text()
		if !ok || !q.next(':') {
			return nil, false
		}
		if o[key], ok = q.value(depth + 1); !ok {
			return nil, false
		}
		if q.next('}') {
			return o, true
		}
		if !q.next(',') {
			return nil, false
		}
	}
}

func (q *quick) list(depth int) (any, bool) {
	q.at++
	list := []any{}
	if q.next(']') {
		return list, true
	}
	for {
		v, ok := q.value(depth + 1)
		if !ok {
			return nil, false
		}
		list = append(list, v)
		if q.next(']') {
			return list, true
		}
		if !q.next(',') {
			return nil, false
		}
	}
}

// number reads a number according to RFC 8259, section 6.
func (q *quick) number() (json.Number, bool) {
	start := q.at
	q.one('-')
	if !q.one('0') && !q.digits() {
		return "", false
	}
	if q.one('.') && !q.digits() {
		return "", false
	}
	if q.one('e') || q.one('E') {
		if !q.one('+') {
			q.one('-')
		}
		if !q.digits() {
			return "", false
		}
	}
	return json.Number(q.raw[start:q.at]), true
}

func (q *quick) one(c byte) bool {
	if q.at < len(q.raw) && q.raw[q.at] == c {
		q.at++
		return true
	}
	return false
}

func (q *quick) digits() bool {
	start := q.at
	for q.at < len(q.raw) && '0' <= q.raw[q.at] && q.raw[q.at] <= '9' {
		q.at++
	}
	return q.at > start
}

// text reads a string after its opening quotation mark.
func (q *quick) text() (string, bool) {
	rest := q.raw[q.at:]
	end := bytes.IndexByte(rest, '"')
	if end < 0 {
		return "", false
	}
	if bytes.IndexByte(rest[:end], '\\') >= 0 {
		return q.escaped()
	}
	q.at += end + 1
	return string(rest[:end]), sound(rest[:end])
}

// sound reports whether a piece of a string is valid in JSON without escapes.
func sound(piece []byte) bool {
	for _, c := range piece {
		if c < ' ' {
			return false
		}
	}
	return utf8.Valid(piece)
}

// escapes are the characters after a backslash, escaped their meanings.
const escapes, escaped = `"\/bfnrt`, "\"\\/\b\f\n\r\t"

// escaped reads a string with backslashes.
func (q *quick) escaped() (string, bool) {
	var out []byte
	for {
		rest := q.raw[q.at:]
		n := bytes.IndexAny(rest, `"\`)
		if n < 0 || !sound(rest[:n]) {
			return "", false
		}
		out = append(out, rest[:n]...)
		q.at += n + 1
		if rest[n] == '"' {
			return string(out), true
		}
		if q.at == len(q.raw) {
			return "", false
		}
		c := q.raw[q.at]
		q.at++
		if i := strings.IndexByte(escapes, c); i >= 0 {
			out = append(out, escaped[i])
			continue
		}
		r, ok := q.hex()
		if c != 'u' || !ok {
			return "", false
		}
		if utf16.IsSurrogate(r) {
			// A lone surrogate becomes U+FFFD, and the following characters are kept.
			before := q.at
			low, ok := rune(0), q.word(`\u`)
			if ok {
				low, ok = q.hex()
			}
			if r = utf16.DecodeRune(r, low); !ok || r == utf8.RuneError {
				q.at, r = before, utf8.RuneError
			}
		}
		out = utf8.AppendRune(out, r)
	}
}

// hex reads four hexadecimal digits.
func (q *quick) hex() (r rune, ok bool) {
	if len(q.raw)-q.at < 4 {
		return 0, false
	}
	for _, c := range q.raw[q.at : q.at+4] {
		switch {
		case '0' <= c && c <= '9':
			c -= '0'
		case 'a' <= c|0x20 && c|0x20 <= 'f':
			c = c | 0x20 - 'a' + 10
		default:
			return 0, false
		}
		r = r<<4 | rune(c)
	}
	q.at += 4
	return r, true
}
