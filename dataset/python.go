package dataset

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// parsePython reads a list of strings in Python syntax, which data frames write
// into CSV: ['a', "it's"], or a NumPy array, without commas.
func parsePython(s string) ([]string, error) {
	s = strings.TrimSpace(s)
	if inner, ok := strings.CutPrefix(s, "array("); ok {
		if end := strings.LastIndexByte(inner, ']'); end >= 0 {
			s = inner[:end+1]
		}
	}
	if !strings.HasPrefix(s, "[") {
		return nil, errors.New("expected a list, as in [\"a\", \"b\"]")
	}
	p := pythonReader{s: s[1:]}
	out := []string{}
	for {
		p.s = strings.TrimLeft(p.s, " \t\r\n,")
		switch {
		case p.s == "":
			return nil, errors.New("the list has no closing bracket")
		case p.s[0] == ']':
			if rest := strings.TrimSpace(p.s[1:]); rest != "" {
				return nil, fmt.Errorf("%q after the end of the list", clip(rest))
			}
			return out, nil
		case strings.HasPrefix(p.s, "..."):
			return nil, errors.New("the list was truncated when printed: expected the whole list")
		case p.s[0] != '\'' && p.s[0] != '"':
			return nil, fmt.Errorf("list entry %q: expected a text in quotes", clip(strings.TrimRight(p.s, "] \n")))
		}
		item, err := p.quoted()
		if err != nil {
			return nil, err
		}
		out = append(out, item)
	}
}

type pythonReader struct{ s string }

// quoted reads a string literal that starts at the reader's position. As in Python, unknown escapes stand for
// themselves.
func (p *pythonReader) quoted() (string, error) {
	quote, rest := p.s[0], p.s[1:]
	var b strings.Builder
	for rest != "" {
		if rest[0] == quote {
			p.s = rest[1:]
			return b.String(), nil
		}
		escaped := quote
		if rest[0] == '\\' && len(rest) > 1 {
			escaped = rest[1] // the other quote may be, too
		}
		c, _, tail, err := strconv.UnquoteChar(rest, escaped)
		if err != nil {
			c, tail = rune(rest[0]), rest[1:]
		}
		b.WriteRune(c)
		rest = tail
	}
	return "", fmt.Errorf("the text that begins with %q has no closing quote", clip(p.s))
}
