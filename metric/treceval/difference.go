package treceval

import (
	"fmt"
	"io"
	"math"
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
// It compares the means of queries, not sums, geometric means and texts. All of them
// are tested together ([stats.CompareTogether]).
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
					p := stats.Pair{Old: was, New: is, Case: r.Queries[q].ID}
					if measure.unit != nil && measure.unit[1] < math.MaxFloat64 {
						ends := r.cells[q*len(r.Measures)+m].ends
						p.Width = max(ends[1], was, is) - min(ends[0], was, is)
					}
					of = append(of, p)
				}
			}
			out, pairs = append(out, Difference{Run: run, Measure: m}), append(pairs, of)
		}
	}
	for i, c := range stats.CompareTogether(stats.SignFlip, pairs, p.Level, 0) {
		width := 0.0
		for _, pair := range pairs[i] {
			width += pair.Width / float64(c.N)
		}
		if c.CI != nil && width > 0 {
			ci := c.CI.Clip(-width, width)
			c.CI = &ci
		}
		out[i].Comparison = c
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
	tested := 0
	rows := [][]string{{"", "run", "difference", fmt.Sprintf("%g %% interval", p.Level*100), "p", "p (maxT)", "n", "higher/same/lower"}}
	for _, d := range all {
		r := p.Results[d.Run]
		row := []string{r.Measures[d.Measure].Name, filepath.Base(r.Name), "n/a", "", "", "", strconv.Itoa(d.N), ""}
		if d.N > 0 {
			tested++
			row[2], row[4], row[5] = fmt.Sprintf("%+.4f", d.Diff), probability(d.P), probability(d.PAdjusted)
			row[7] = fmt.Sprintf("%d/%d/%d", d.Wins, d.Ties, d.Losses)
			row[3] = "none"
			if d.CI != nil && d.N >= stats.Readable {
				row[3] = bound(d.CI.Lo, d.CI.Lo > 0, ">0") + " … " + bound(d.CI.Hi, d.CI.Hi < 0, "<0")
			}
		}
		rows = append(rows, row)
	}
	align(w, rows)
	if tested > 1 {
		fmt.Fprintf(w, "p (maxT) and the intervals are corrected for the %d tests of the table together.\n", tested)
	}
}

// bound formats an end of an interval. One that excludes 0 and would be printed as 0
// is beside.
func bound(end float64, excludes bool, beside string) string {
	if s := fmt.Sprintf("%+.4f", end); !excludes || s[1:] != "0.0000" {
		return s
	}
	return beside
}

// probability formats a p-value, which is never shown as 0.
func probability(p float64) string {
	if p < 0.0001 {
		return "<0.0001"
	}
	return fmt.Sprintf("%.4f", p)
}
