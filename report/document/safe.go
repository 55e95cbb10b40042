package document

import (
	"strings"
	"unicode/utf8"

	"github.com/assay-eval/assay/internal/text"
)

// Line makes one line of a text: visible characters alone, with every run of
// white space one space.
func Line(s string) string { return strings.Join(strings.Fields(text.Visible(s)), " ") }

// Clip gives the first most characters of a line, with "…" for the rest.
func Clip(s string, most int) string {
	if utf8.RuneCountInString(s) <= most {
		return s
	}
	r := []rune(s)
	return strings.TrimSpace(string(r[:max(most-1, 0)])) + "…"
}
