package text

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Visible removes characters from a text that could act instead of being read: control
// characters (escape sequences begin with one), bidirectional overrides and isolates,
// and other format characters that hide or reorder text. Tabs and line ends are kept;
// each invalid UTF-8 byte becomes U+FFFD, as in JSON, so that a report is the same
// before and after it is stored.
func Visible(s string) string {
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

// Shorten returns the first runes of a text, with "…" for the rest.
func Shorten(s string, runes int) string {
	for i := range s {
		if runes--; runes < 0 {
			return s[:i] + "…"
		}
	}
	return s
}

// ShortHash shortens a hash, "sha256:" and digits, to a recognisable prefix; other
// texts are unchanged.
func ShortHash(hash string) string {
	const digits = 12
	if i := strings.IndexByte(hash, ':'); i >= 0 && len(hash) > i+1+digits {
		return hash[:i+1+digits]
	}
	return hash
}

func harmless(s string) bool {
	for i := range len(s) {
		if c := s[i]; c >= utf8.RuneSelf || c < ' ' && c != '\n' && c != '\t' || c == 0x7f {
			return false
		}
	}
	return true
}

// hidden reports whether a character must not be shown. Zero-width joiners are kept,
// since scripts and emoji need them.
func hidden(r rune) bool {
	if r == '\u200c' || r == '\u200d' {
		return false
	}
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp)
}
