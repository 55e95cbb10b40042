// Package pattern writes regular expressions of JavaScript in the syntax of RE2, which Go uses,
// so that they match the same texts. What RE2 cannot express, such as a look-ahead or a
// reference to a group, is an error.
package pattern

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// ECMA-262, 22.2: without flags, "." matches no line terminator, and \d and \w are ASCII.
const (
	dot = `[^\n\r\x{2028}\x{2029}]`
	end = `\z`
)

// classes are the members of the classes \d, \w and \s.
var classes = map[byte]string{
	'd': "0-9", 'w': "0-9A-Za-z_",
	's': `\t\n\x0b\f\r \x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}\x{feff}`,
}

// escapes are escapes with another name in RE2, or those that it lacks.
var escapes = map[byte]string{'v': `\x0b`, '0': `\x00`, '/': "/"}

// FromJavaScript translates the source of a RegExp without flags.
func FromJavaScript(source string) (string, error) {
	var b strings.Builder
	brackets := false
	for i := 0; i < len(source); {
		c := source[i]
		switch {
		case c == '\\':
			out, n, err := escape(source[i:], brackets)
			if err != nil {
				return "", err
			}
			b.WriteString(out)
			i += n
			continue
		case brackets && c == ']':
			brackets = false
		case brackets && c == '[':
			b.WriteString(`\[`)
			i++
			continue
		case brackets:
		case c == '[':
			rest := strings.TrimPrefix(source[i+1:], "^")
			if strings.HasPrefix(rest, "]") {
				return "", fmt.Errorf("%q: brackets that begin with \"]\" differ between JavaScript and RE2: expected \"\\]\"", source)
			}
			brackets = true
			n := len(source) - i - len(rest)
			b.WriteString(source[i : i+n])
			i += n
			continue
		case c == '.':
			b.WriteString(dot)
			i++
			continue
		case c == '$':
			b.WriteString(end)
			i++
			continue
		case c == '(' && inline(source[i:]):
			return "", fmt.Errorf("%q: flags within the expression are not translated", source)
		}
		b.WriteByte(c)
		i++
	}
	out := b.String()
	if _, err := regexp.Compile(out); err != nil {
		return "", fmt.Errorf("RE2 cannot express it: %w", err)
	}
	return out, nil
}

// inline reports whether a group sets flags, which would change what "." and "$" mean.
func inline(rest string) bool {
	rest, ok := strings.CutPrefix(rest, "(?")
	if !ok || rest == "" {
		return false
	}
	flags := rest[:len(rest)-len(strings.TrimLeft(rest, "aiLmsux-"))]
	return flags != ""
}

// escape translates the escape at the start of a text, and returns its length.
func escape(rest string, brackets bool) (string, int, error) {
	if len(rest) < 2 {
		return "", 0, fmt.Errorf("%q ends with a backslash", rest)
	}
	c := rest[1]
	lower := c | 0x20
	if members, ok := classes[lower]; ok && lower >= 'a' && lower <= 'z' && (c == lower || c == lower-0x20) {
		switch {
		case c == lower && brackets:
			return members, 2, nil
		case c == lower:
			return "[" + members + "]", 2, nil
		case brackets && lower == 's':
			return "", 0, fmt.Errorf("\"\\%c\" within brackets is not translated", c)
		case brackets:
			return `\` + string(c), 2, nil
		}
		return "[^" + members + "]", 2, nil
	}
	if out, ok := escapes[c]; ok {
		return out, 2, nil
	}
	switch {
	case c == 'u':
		return unicodeEscape(rest)
	case c == 'b' && brackets:
		return `\x08`, 2, nil
	case c == 'c' || c == 'k' || c >= '1' && c <= '9':
		return "", 0, fmt.Errorf("\"\\%c\": references to groups and control characters have no form in RE2", c)
	case c >= 0x80, c == '-' && !brackets, c == ' ' || c == '#' || c == '~' || c == '&' || c == '@' || c == '%' || c == '=' ||
		c == '!' || c == '<' || c == '>' || c == ':' || c == ';' || c == ',' || c == '\'' || c == '"' || c == '`' || c == '_':
		return regexp.QuoteMeta(string(rest[1])), 2, nil
	}
	return rest[:2], 2, nil
}

// unicodeEscape translates \u0041 and \u{41}.
func unicodeEscape(rest string) (string, int, error) {
	digits, n := "", 6
	if strings.HasPrefix(rest, `\u{`) {
		return "", 0, fmt.Errorf("%q means another text without the flag u", rest[:3])
	}
	if len(rest) >= 6 {
		digits = rest[2:6]
	}
	code, err := strconv.ParseUint(digits, 16, 32)
	if err != nil {
		return "", 0, fmt.Errorf("\"\\u\" without four hexadecimal digits is not translated")
	}
	if code >= 0xd800 && code < 0xe000 {
		return "", 0, fmt.Errorf("\"\\u%s\" is half of a character", digits)
	}
	return fmt.Sprintf(`\x{%x}`, code), n, nil
}
