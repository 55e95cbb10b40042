package dataset

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
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
		return nil, errors.New("want a list, as in [\"a\", \"b\"]")
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
			return nil, errors.New("the list was truncated when printed: want the whole list")
		case p.s[0] != '\'' && p.s[0] != '"':
			return nil, fmt.Errorf("list entry %q: want a text in quotes", clip(strings.TrimRight(p.s, "] \n")))
		}
		item, err := p.quoted()
		if err != nil {
			return nil, err
		}
		out = append(out, item)
	}
}

type pythonReader struct{ s string }

// quoted reads a string literal that starts at the reader's position.
func (p *pythonReader) quoted() (string, error) {
	quote := p.s[0]
	var b strings.Builder
	for i := 1; i < len(p.s); i++ {
		switch c := p.s[i]; {
		case c == quote:
			p.s = p.s[i+1:]
			return b.String(), nil
		case c == '\\' && i+1 < len(p.s):
			n, err := unescape(&b, p.s[i+1:])
			if err != nil {
				return "", err
			}
			i += n
		default:
			b.WriteByte(c)
		}
	}
	return "", fmt.Errorf("the text that begins with %q has no closing quote", clip(p.s))
}

// unescape writes the character for the escape sequence after a backslash and
// returns its length. As in Python, unknown escapes stand for themselves.
func unescape(b *strings.Builder, s string) (int, error) {
	const simple, means = `\'"abfnrtv`, "\\'\"\a\b\f\n\r\t\v"
	if i := strings.IndexByte(simple, s[0]); i >= 0 {
		b.WriteByte(means[i])
		return 1, nil
	}
	digits := map[byte]int{'x': 2, 'u': 4, 'U': 8}[s[0]]
	if digits == 0 {
		b.WriteByte('\\')
		return 0, nil
	}
	if len(s) <= digits {
		return 0, fmt.Errorf("escape \\%s: want %d digits", clip(s), digits)
	}
	v, err := strconv.ParseUint(s[1:1+digits], 16, 32)
	if err != nil || v > utf8.MaxRune {
		return 0, fmt.Errorf("escape \\%s: want %d hexadecimal digits of a character", clip(s[:1+digits]), digits)
	}
	b.WriteRune(rune(v))
	return 1 + digits, nil
}
