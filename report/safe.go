package report

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/assay-eval/assay/internal/text"
	"github.com/assay-eval/assay/report/words"
)

// visible is [text.Visible], under the name that this package uses everywhere.
func visible(s string) string { return text.Visible(s) }

// line makes one line of a text: visible, with every run of white space one
// space.
func line(s string) string { return strings.Join(strings.Fields(visible(s)), " ") }

// excerpt gives the first most characters of a text and says how many are left
// out.
func excerpt(w words.Words, s string, most int) string {
	kept := 0
	for i := range s {
		if kept == most {
			return w.Excerpt(strings.TrimRightFunc(s[:i], unicode.IsSpace), utf8.RuneCountInString(s[i:]))
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
