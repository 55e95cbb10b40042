package document

import (
	"strings"
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
