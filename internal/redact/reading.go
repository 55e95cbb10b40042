package redact

import (
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// A reading is a text with its escapes decoded. Data are sought in it, and replaced in the
// text from which it was decoded.
type reading struct {
	text string
	// at has, for each byte of text and its end, the place in the raw text; nil if they are
	// the same.
	at []int32
}

// raw returns the place in the raw text of a place in the reading.
func (v reading) raw(i int) int {
	if v.at == nil {
		return i
	}
	return int(v.at[i])
}

// deepest bounds how often escapes are decoded: JSON in JSON in an address of the web.
const deepest = 4

// readings returns the readings of a text, the most decoded first, the text itself last.
func readings(s string) []reading {
	out := []reading{{text: s}}
	for range deepest {
		next, ok := decode(out[len(out)-1])
		if !ok {
			break
		}
		out = append(out, next)
	}
	for i, j := 0, len(out)-1; i < j; i, j = i+1, j-1 {
		out[i], out[j] = out[j], out[i]
	}
	return out
}

// decode decodes escapes of JSON and of URLs, characters of full width, and separators that
// are not of ASCII; it drops characters without width. ok is false if there is none of these.
func decode(v reading) (_ reading, ok bool) {
	s := v.text
	i := nextEncoded(s, 0)
	if i < 0 {
		return v, false
	}
	var b strings.Builder
	b.Grow(len(s))
	at := make([]int32, 0, len(s)+1)
	keep := func(from, to int) {
		b.WriteString(s[from:to])
		for j := from; j < to; j++ {
			at = append(at, int32(v.raw(j)))
		}
	}
	last := 0
	for ; i >= 0; i = nextEncoded(s, i) {
		text, size := decodeAt(s[i:])
		if size == 0 {
			i++
			continue
		}
		keep(last, i)
		for range len(text) {
			at = append(at, int32(v.raw(i)))
		}
		b.WriteString(text)
		i += size
		last, ok = i, true
	}
	if !ok {
		return v, false
	}
	keep(last, len(s))
	return reading{b.String(), append(at, int32(v.raw(len(s))))}, true
}

// nextEncoded returns the place of the next byte at or after i that may begin something
// encoded; -1 if there is none.
func nextEncoded(s string, i int) int {
	for ; i < len(s); i++ {
		if isEncoded(s[i]) {
			return i
		}
	}
	return -1
}

// isEncoded reports whether a byte may begin something that decodeAt decodes.
func isEncoded(c byte) bool {
	switch c {
	case '\\', '%', 0xC2, 0xE2, 0xE3, 0xEF:
		return true
	}
	return false
}

// decodeAt decodes what stands at the beginning of s. size is how many bytes that takes; 0 if
// nothing is encoded there.
func decodeAt(s string) (text string, size int) {
	switch s[0] {
	case '\\':
		return decodeEscape(s)
	case '%':
		if c, ok := hexByte(s, 1); ok {
			return string([]byte{c}), 3
		}
		return "", 0
	}
	r, n := utf8.DecodeRuneInString(s)
	switch {
	case r >= '！' && r <= '～': // the full width forms of ASCII
		return string(r - '！' + '!'), n
	case r == '\u00a0', r == '\u3000', r >= '\u2000' && r <= '\u200a', r == '\u202f':
		return " ", n
	case r >= '\u2010' && r <= '\u2015', r == '\u2212':
		return "-", n
	case r == '\u00ad', r >= '\u200b' && r <= '\u200f', r == '\u2060', r == '\ufeff':
		return "", n
	}
	return "", 0
}

// decodeEscape decodes an escape of JSON (RFC 8259, section 7).
func decodeEscape(s string) (text string, size int) {
	if len(s) < 2 {
		return "", 0
	}
	if i := strings.IndexByte(`"\/bfnrt`, s[1]); i >= 0 {
		return "\"\\/\b\f\n\r\t"[i : i+1], 2
	}
	unit, ok := escapedUnit(s)
	if !ok {
		return "", 0
	}
	if utf16.IsSurrogate(unit) {
		if second, ok := escapedUnit(s[6:]); ok {
			if r := utf16.DecodeRune(unit, second); r != utf8.RuneError {
				return string(r), 12
			}
		}
	}
	return string(unit), 6
}

// escapedUnit reads \uXXXX.
func escapedUnit(s string) (rune, bool) {
	if len(s) < 6 || s[0] != '\\' || s[1] != 'u' {
		return 0, false
	}
	high, ok1 := hexByte(s, 2)
	low, ok2 := hexByte(s, 4)
	return rune(high)<<8 | rune(low), ok1 && ok2
}

// hexByte reads two hexadecimal digits at i.
func hexByte(s string, i int) (byte, bool) {
	if i+2 > len(s) {
		return 0, false
	}
	high, low := hexDigit(s[i]), hexDigit(s[i+1])
	return byte(high<<4 | low&15), high >= 0 && low >= 0
}

func hexDigit(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case c|0x20 >= 'a' && c|0x20 <= 'f':
		return int(c|0x20-'a') + 10
	}
	return -1
}
