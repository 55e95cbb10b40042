package dataset

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/assay-eval/assay/internal/text"
)

// An Error is one problem of a dataset, with its position.
type Error struct {
	File string `json:"file"`
	// Line counts from 1; 0 means that the position is not a line. In Parquet it
	// is the number of the row.
	Line int `json:"line,omitempty"`
	// Index is the case's index in the file; -1 means that the problem does not
	// belong to a case.
	Index int `json:"index"`
	// Case is the id of the case, if it has one.
	Case string `json:"case,omitempty"`
	// Field is the path of the value, such as "expected_contexts[1]".
	Field string `json:"field,omitempty"`
	// Problem says what is wrong, Want what is expected.
	Problem string `json:"problem"`
	Want    string `json:"want,omitempty"`
}

// Error formats the message, as in
//
//	support.json:17: case "tc_012": expected_contexts[1]: empty string: expected a document id
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(e.File)
	if e.Line > 0 {
		fmt.Fprintf(&b, ":%d", e.Line)
	}
	switch {
	case e.Case != "":
		fmt.Fprintf(&b, ": case %q", clip(e.Case))
	case e.Index >= 0:
		fmt.Fprintf(&b, ": case %d", e.Index+1)
	}
	for _, part := range []string{e.Field, e.Problem} {
		if part != "" {
			b.WriteString(": " + part)
		}
	}
	switch {
	case strings.HasPrefix(e.Want, "--"), strings.HasPrefix(e.Want, "assay "):
		b.WriteString("; use " + e.Want)
	case e.Want != "":
		b.WriteString(": expected " + e.Want)
	}
	return oneLine(b.String())
}

// Errors are the problems of a dataset, in file order.
type Errors []*Error

const (
	// shownErrors is the number of problems in one message.
	shownErrors = 50
	// maxErrors is the number of problems after which reading stops: the file is
	// probably something else.
	maxErrors = 10_000
)

// Error lists the first 50 problems, one per line, and the number of the others.
func (e Errors) Error() string {
	var lines []string
	for _, one := range e[:min(len(e), shownErrors)] {
		lines = append(lines, one.Error())
	}
	if more := len(e) - shownErrors; more > 0 {
		lines = append(lines, fmt.Sprintf("… and %d more problems", more))
	}
	return strings.Join(lines, "\n")
}

// Unwrap returns the individual problems.
func (e Errors) Unwrap() []error {
	out := make([]error, len(e))
	for i, one := range e {
		out[i] = one
	}
	return out
}

func (e Errors) sort() {
	slices.SortStableFunc(e, func(a, b *Error) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Index, b.Index))
	})
}

// oneLine makes a message that quotes a file safe to print: control characters
// are removed and line ends become spaces.
func oneLine(s string) string {
	return strings.NewReplacer("\n", " ", "\t", " ").Replace(text.Visible(s))
}

func countCases(n int) string {
	if n == 1 {
		return "1 case"
	}
	return fmt.Sprintf("%d cases", n)
}

// clip shortens a quotation in a message.
func clip(s string) string { return text.Shorten(s, 80) }
