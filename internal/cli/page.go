package cli

import (
	"embed"
	"fmt"
	"io"
	"reflect"
	"strings"
	"text/tabwriter"
	"text/template"

	"github.com/assay-eval/assay/internal/text"
	"github.com/assay-eval/assay/judge/audit/certify"
	"github.com/assay-eval/assay/report/words"
)

// pageFiles are what commands print, as templates. Tabs separate the columns of a table.
//
//go:embed page/*.tmpl
var pageFiles embed.FS

// pageFunctions are what the templates can call, besides those of text/template.
var pageFunctions = template.FuncMap{
	"visible": text.Visible, "line": oneLine, "wrap": wrapLine, "short": shortValue, "counted": counted, "join": strings.Join,
	// number formats a number or a pointer to one.
	"number": func(form string, v any) string {
		return fmt.Sprintf(form, reflect.Indirect(reflect.ValueOf(v)).Interface())
	},
	"hundred": func(v float64) float64 { return 100 * v },
	"judge":   judgeLine, "canary": words.English.Canary, "model": judgeName, "figure": figureRow, "estimate": estimateRow,
	"effect": effectRow, "finding": findingLine, "hash": text.ShortHash, "trial": trialResult,
	"title": certify.Title, "terms": certify.Terms, "value": value, "percent": percent, "between": between,
}

// printPage writes the page with a name, filled in with data.
func printPage(out io.Writer, name string, data any) error {
	page, err := template.New(name+".tmpl").Funcs(pageFunctions).ParseFS(pageFiles, "page/"+name+".tmpl")
	if err != nil {
		return err
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	if err := page.Execute(w, data); err != nil {
		return err
	}
	return w.Flush()
}
