package document

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/assay-eval/assay/internal/text"
)

// Line returns a text as one line of visible characters, each run of white space
// replaced by one space.
func Line(s string) string { return strings.Join(strings.Fields(text.Visible(s)), " ") }

// Clip returns at most most characters of a line, ending in "…" if it was longer.
func Clip(s string, most int) string {
	if utf8.RuneCountInString(s) <= most {
		return s
	}
	r := []rune(s)
	return strings.TrimSpace(string(r[:max(most-1, 0)])) + "…"
}

// Spaced is [Line] that keeps one space at each end of a span, and of a blank one.
func Spaced(s string) string {
	l := Line(s)
	if l == "" {
		return strings.Repeat(" ", min(len(s), 1))
	}
	if s[0] == ' ' {
		l = " " + l
	}
	if s[len(s)-1] == ' ' {
		l += " "
	}
	return l
}

// LowerFirst begins a heading with a small letter, as terminals show it. That of an abbreviation stays.
func LowerFirst(s string) string {
	first, n := utf8.DecodeRuneInString(s)
	if next, _ := utf8.DecodeRuneInString(s[n:]); !unicode.IsLower(next) {
		return s
	}
	return string(unicode.ToLower(first)) + s[n:]
}
