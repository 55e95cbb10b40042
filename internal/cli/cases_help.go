package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/assay-eval/assay/internal/query"
)

// queryHelp explains filters in the help text.
func queryHelp() string {
	var b strings.Builder
	b.WriteString(`FILTERS
Terms side by side must all hold; OR, or a comma between values, asks for any; a minus
before a term or a group in parentheses reverses it. A word, or a phrase in quotes, is
searched in id, question and answer, ignoring case.

`)
	for _, f := range query.Fields() {
		if f.Lacks == nil {
			doc := strings.ReplaceAll(f.Doc, "`", "")
			if f.Values != nil {
				doc += ": " + strings.Join(f.Values, ", ")
			}
			fmt.Fprintf(&b, "  %-26s%s\n", f.Example, helpLines(doc, 28))
		}
	}
	b.WriteString(`
A case without a value satisfies no comparison, also not !=; -mrr@10<0.5 selects it.
`)
	return b.String()
}

// helpLines breaks a text at spaces into lines of the help text, and indents all but the
// first.
func helpLines(text string, indent int) string {
	var b strings.Builder
	hanging(&b, strings.Repeat(" ", indent), text, helpWidth)
	return strings.TrimSpace(b.String())
}

// helpWidth is the number of columns of the help texts.
const helpWidth = 86

// documentFilters writes the table of the terms of filters.
func documentFilters(w io.Writer) {
	tableOf(w, "term | compares | values", query.Fields(), func(f query.Field) []string {
		values := ""
		if f.Values != nil {
			values = code(strings.Join(f.Values, "`, `"))
		}
		return []string{code(f.Example), f.Doc, values}
	})
}
