package report

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// visible drops from a text what could act instead of being read: control
// characters (escape sequences begin with one), bidirectional overrides and
// isolates, and other format characters that hide or reorder text. Tabs and
// line ends stay; bytes that are not UTF-8 become U+FFFD, one each, as they do
// in JSON, so that a report shows the same before and after it is stored.
func visible(s string) string {
	if harmless(s) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	for _, r := range strings.ReplaceAll(s, "\r\n", "\n") {
		switch {
		case r == '\r', r == '\u2028', r == '\u2029', r == '\u0085':
			b.WriteByte('\n')
		case r == '\n', r == '\t', !hidden(r):
			b.WriteRune(r)
		}
	}
	return b.String()
}

func harmless(s string) bool {
	for i := range len(s) {
		if c := s[i]; c >= utf8.RuneSelf || c < ' ' && c != '\n' && c != '\t' || c == 0x7f {
			return false
		}
	}
	return true
}

// hidden reports whether a character is not to be shown. Zero-width joiners
// stay: scripts and emoji need them.
func hidden(r rune) bool {
	if r == '\u200c' || r == '\u200d' {
		return false
	}
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp)
}

// line makes one line of a text: visible, with every run of white space one
// space.
func line(s string) string { return strings.Join(strings.Fields(visible(s)), " ") }

// excerpt gives the first most characters of a text and says how many are left
// out.
func excerpt(s string, most int) string {
	kept := 0
	for i := range s {
		if kept == most {
			return fmt.Sprintf("%s … (%d more characters)", strings.TrimRightFunc(s[:i], unicode.IsSpace), utf8.RuneCountInString(s[i:]))
		}
		kept++
	}
	return s
}

// clip gives the first most characters of a line, with "…" for the rest.
func clip(s string, most int) string {
	if utf8.RuneCountInString(s) <= most {
		return s
	}
	r := []rune(s)
	return strings.TrimSpace(string(r[:max(most-1, 0)])) + "…"
}
