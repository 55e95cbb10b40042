package report

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/assay-eval/assay/internal/text"
	"github.com/assay-eval/assay/report/document"
	"github.com/assay-eval/assay/report/words"
)

// visible is [text.Visible], under the name that this package uses everywhere.
func visible(s string) string { return text.Visible(s) }

// Cell makes a text safe for a spreadsheet: it gets a leading apostrophe if it would be
// run as a formula.
func Cell(s string) string { return cell(s) }

// line is [document.Line].
func line(s string) string { return document.Line(s) }

// excerpt returns the first most characters of a text and a note of how many are left
// out.
func excerpt(w words.Words, s string, most int) string {
	kept := 0
	for i := range s {
		if kept == most {
			return w.Say("Excerpt", words.V{"kept": strings.TrimRightFunc(s[:i], unicode.IsSpace), "more": utf8.RuneCountInString(s[i:])})
		}
		kept++
	}
	return s
}

// clip is [document.Clip].
func clip(s string, most int) string { return document.Clip(s, most) }
