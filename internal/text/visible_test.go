package text_test

import (
	"testing"

	"github.com/assay-eval/assay/internal/text"
)

func TestVisible(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"plain, 漢字\tand\nlines":    "plain, 漢字\tand\nlines",
		"\x1b[31mred\x1b[0m":       "[31mred[0m",
		"a\u202eb\u2066c\u200bd":   "abcd",
		"one\r\ntwo\rthree\u2028x": "one\ntwo\nthree\nx",
		"\u009b2J":                 "2J",
		"bad \xff":                 "bad \ufffd",
		"👩\u200d🚀":                 "👩\u200d🚀",
	} {
		if got := text.Visible(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

func TestShorten(t *testing.T) {
	for _, c := range []struct {
		s     string
		runes int
		want  string
	}{
		{"", 3, ""}, {"", 0, ""}, {"abc", 3, "abc"}, {"abcd", 3, "abc…"}, {"abc", 0, "…"}, {"abc", -1, "…"},
		{"高330米高", 5, "高330米…"}, {"\xff\xffa", 2, "\xff\xff…"},
	} {
		if got := text.Shorten(c.s, c.runes); got != c.want {
			t.Errorf("%q to %d: %q, want %q", c.s, c.runes, got, c.want)
		}
	}
}
