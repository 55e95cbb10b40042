package dataset

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// openList starts a list.
const openList = json.Delim('[')

// maxDepth bounds the nesting of values.
const maxDepth = 100

// jsonReader reads JSON values with their line numbers.
type jsonReader struct {
	data []byte
	dec  *json.Decoder
	name string
	// at is an offset into data, line the line number of that offset.
	at, line int
}

// newJSONReader reads data that starts at the given line of a file.
func newJSONReader(data []byte, name string, line int) *jsonReader {
	data = withoutNaN(data)
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	return &jsonReader{data: data, dec: dec, name: name, line: line}
}

// withoutNaN replaces NaN, which Python writes for a missing value, by null.
func withoutNaN(data []byte) []byte {
	if !bytes.Contains(data, []byte("NaN")) {
		return data
	}
	var out []byte
	done, quoted := 0, false
	for i := 0; i < len(data); i++ {
		switch {
		case data[i] == '"':
			quoted = !quoted
		case quoted && data[i] == '\\':
			i++
		case !quoted && bytes.HasPrefix(data[i:], []byte("NaN")):
			out = append(append(out, data[done:i]...), "null"...)
			done = i + len("NaN")
		}
	}
	return append(out, data[done:]...)
}

// here returns the line of the token that was read last. JSON tokens do not
// contain line breaks.
func (r *jsonReader) here() int {
	to := min(int(r.dec.InputOffset()), len(r.data))
	r.line += bytes.Count(r.data[r.at:to], []byte{'\n'})
	r.at = to
	return r.line
}

// bad returns a syntax error at the reader's position.
func (r *jsonReader) bad(err error) error {
	e := &Error{File: r.name, Line: r.here(), Index: -1, Problem: err.Error(), Want: "JSON"}
	var syntax *json.SyntaxError
	switch {
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		e.Problem, e.Want = "the text ends in the middle of a value", "whole JSON"
		e.Line = r.line + bytes.Count(bytes.TrimRight(r.data[r.at:], " \t\r\n"), []byte{'\n'})
	case errors.As(err, &syntax):
		// The offset of a decoder's error is one past the offending byte.
		if to := min(int(syntax.Offset), len(r.data)); to > r.at {
			e.Line += bytes.Count(r.data[r.at:to-1], []byte{'\n'})
		}
		e.Problem = strings.TrimPrefix(syntax.Error(), "json: ")
	}
	return e
}

// token reads the next token and its line.
func (r *jsonReader) token() (json.Token, int, error) {
	t, err := r.dec.Token()
	if err != nil {
		return nil, 0, r.bad(err)
	}
	return t, r.here(), nil
}

// node reads the next value.
func (r *jsonReader) node() (*node, error) {
	t, line, err := r.token()
	if err != nil {
		return nil, err
	}
	return r.rest(t, line, 0)
}

// rest reads the value whose first token is given.
func (r *jsonReader) rest(t json.Token, line, depth int) (*node, error) {
	n := &node{line: line}
	switch v := t.(type) {
	case bool:
		n.kind, n.yes = boolean, v
	case json.Number:
		n.kind, n.text = number, v.String()
	case string:
		n.kind, n.text = str, v
	case json.Delim:
		if depth >= maxDepth {
			return nil, &Error{File: r.name, Line: line, Index: -1, Problem: fmt.Sprintf("values nested more than %d deep", maxDepth)}
		}
		if v == openList {
			n.kind = list
			return n, r.elements(func(t json.Token, line int) error {
				item, err := r.rest(t, line, depth+1)
				n.items = append(n.items, item)
				return err
			})
		}
		n.kind = object
		return n, r.members(func(name string, t json.Token, line int) error {
			value, err := r.rest(t, line, depth+1)
			n.fields = append(n.fields, field{name, value})
			return err
		})
	}
	return n, nil
}

// elements calls fn with the first token of every element of a list whose bracket
// has been read; fn reads the rest of the element.
func (r *jsonReader) elements(fn func(t json.Token, line int) error) error {
	for {
		t, line, err := r.token()
		if err != nil || t == json.Delim(']') {
			return err
		}
		if err := fn(t, line); err != nil {
			return err
		}
	}
}

// list calls fn with every element of a list whose bracket has been read.
func (r *jsonReader) list(fn func(n *node, index int) error) error {
	index := 0
	return r.elements(func(t json.Token, line int) error {
		n, err := r.rest(t, line, 1)
		if err != nil {
			return err
		}
		index++
		return fn(n, index-1)
	})
}

// members calls fn with every member of an object whose brace has been read. A
// duplicate name is an error.
func (r *jsonReader) members(fn func(name string, t json.Token, line int) error) error {
	seen := map[string]bool{}
	for {
		t, line, err := r.token()
		if err != nil || t == json.Delim('}') {
			return err
		}
		name, ok := t.(string)
		if !ok {
			return r.bad(fmt.Errorf("%v in place of a name", t))
		}
		if seen[name] {
			return &Error{File: r.name, Line: line, Index: -1, Field: name, Problem: "duplicate name in an object", Want: "one of them"}
		}
		seen[name] = true
		if t, line, err = r.token(); err != nil {
			return err
		}
		if err := fn(name, t, line); err != nil {
			return err
		}
	}
}

// end checks that nothing follows.
func (r *jsonReader) end() error {
	t, err := r.dec.Token()
	if errors.Is(err, io.EOF) {
		return nil
	}
	if err != nil {
		return r.bad(err)
	}
	return &Error{File: r.name, Line: r.here(), Index: -1, Problem: fmt.Sprintf("%v after the end of the value", t), Want: "nothing there"}
}
