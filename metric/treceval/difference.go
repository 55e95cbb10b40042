package treceval

import (
	"fmt"
	"io"
	"path/filepath"
	"strconv"

	"github.com/assay-eval/assay/stats"
)

// A Difference is the paired difference of a measure between a run and the first run:
// the run minus the first, query by query.
type Difference struct {
	// Run is the index of the run in the report, Measure that of the measure.
	Run, Measure int
	stats.Comparison
}

// Differences compares every further run with the first over the queries in which the
// measure has a value in both; a query without results counts as it does in the means.
// It compares the means of queries, not sums, geometric means and texts. PAdjusted is
// corrected by Holm's method for all differences of the report.
func (p *Report) Differences() []Difference {
	var out []Difference
	var pairs [][]stats.Pair
	first := p.Results[0]
	for run, r := range p.Results {
		if run == 0 {
			continue
		}
		for m, measure := range r.Measures {
			if measure.kind != mean {
				continue
			}
			var of []stats.Pair
			for q := range r.Queries {
				was, ok := first.Value(q, m)
				is, also := r.Value(q, m)
				if ok && also {
					of = append(of, stats.Pair{Old: was, New: is})
				}
			}
			out, pairs = append(out, Difference{Run: run, Measure: m}), append(pairs, of)
		}
	}
	ps := make([]float64, len(out))
	for i, c := range stats.CompareAll(pairs, p.Level, 0) {
		out[i].Comparison, ps[i] = c, c.P
	}
	for i, adjusted := range stats.Holm(ps) {
		out[i].PAdjusted = adjusted
	}
	return out
}

// writeDifferences writes a table of the paired differences, nothing for one run.
func (p *Report) writeDifferences(w io.Writer) {
	all := p.Differences()
	if len(all) == 0 {
		return
	}
	fmt.Fprintf(w, "\ndifferences from %s, paired by query\n", filepath.Base(p.Results[0].Name))
	rows := [][]string{{"", "run", "difference", fmt.Sprintf("%g %% interval", p.Level*100), "p", "p (Holm)", "n", "higher/same/lower"}}
	for _, d := range all {
		r := p.Results[d.Run]
		row := []string{r.Measures[d.Measure].Name, filepath.Base(r.Name), "n/a", "", "", "", strconv.Itoa(d.N), ""}
		if d.N > 0 {
			row[2], row[4], row[5] = fmt.Sprintf("%+.4f", d.Diff), probability(d.P), probability(d.PAdjusted)
			row[7] = fmt.Sprintf("%d/%d/%d", d.Wins, d.Ties, d.Losses)
			row[3] = "none"
			if d.CI != nil {
				row[3] = fmt.Sprintf("%+.4f … %+.4f", d.CI.Lo, d.CI.Hi)
			}
		}
		rows = append(rows, row)
	}
	align(w, rows)
	fmt.Fprintln(w, "p (Holm) is corrected for all differences of the table, the intervals are not.")
}

// probability formats a p-value, which is never shown as 0.
func probability(p float64) string {
	if p < 0.0001 {
		return "<0.0001"
	}
	return fmt.Sprintf("%.4f", p)
}
