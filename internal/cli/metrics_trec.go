package cli

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/assay-eval/assay/metric/treceval"
)

// trecTitle is the heading of trec_eval's measures in the list of metrics.
const trecTitle = "measures of trec_eval (assay measure)"

// trecMeasures lists the measures of trec_eval. If a run has a metric with the same
// formula, it shows that name.
func trecMeasures(w io.Writer, width int) {
	families, column := treceval.Families(), 0
	for _, f := range families {
		column = max(column, len(f.Usage))
	}
	fmt.Fprintf(w, "\n%s\n", strings.ToUpper(trecTitle))
	for _, f := range families {
		hanging(w, fmt.Sprintf("  %-*s  ", column, f.Usage), trecSummary(f), width)
	}
}

// trecSummary describes a measure of trec_eval in one line.
func trecSummary(f treceval.Family) string {
	if f.Metric != nil {
		return "as " + nameWithCutoff(f.Metric)
	}
	return f.Doc
}

// trecFamily returns the measure of trec_eval with the given name.
func trecFamily(name string) (treceval.Family, bool) {
	families := treceval.Families()
	i := slices.IndexFunc(families, func(f treceval.Family) bool { return f.Name == name })
	if i < 0 {
		return treceval.Family{}, false
	}
	return families[i], true
}

// explainTREC explains a measure of trec_eval.
func explainTREC(w io.Writer, f treceval.Family, width int) {
	fmt.Fprintf(w, "%s  measure of trec_eval (assay measure)\n\n", f.Usage)
	hanging(w, "", f.Doc, width)
	fmt.Fprintln(w)
	if f.Metric == nil {
		return
	}
	hanging(w, "metric      ", nameWithCutoff(f.Metric), width)
	hanging(w, "formula     ", f.Metric.Formula, width)
	hanging(w, "edges       ", trecEdges, width)
}

// trecEdges says how measures of trec_eval differ from metrics.
const trecEdges = "Where the metric does not apply, as for a query without a relevant document, the measure is 0 and counts in the mean."
