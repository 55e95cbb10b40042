package report

import (
	"cmp"
	"math"
	"slices"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/stats"
)

// A change is one case's values of one metric in the baseline and in another
// run.
type change struct {
	id, question string
	row          int
	old, new     float64
}

// changes lists, for run i, each case that differs from the baseline with the
// metric on which it differs most, the largest change first: changes are
// measured as parts of the metric's scale.
func (c *Comparison) changes(i int) []change {
	before := map[string]assay.Record{}
	for _, r := range c.Reports[0].Records {
		before[r.Case.ID] = r
	}
	var out []change
	size := map[string]float64{}
	for _, r := range c.Reports[i].Records {
		old, ok := before[r.Case.ID]
		if !ok {
			continue
		}
		best := change{id: r.Case.ID, question: r.Case.Question, row: -1}
		for row, m := range c.Rows {
			a, had := paired(m.MetricInfo, old)
			b, has := paired(m.MetricInfo, r)
			lo, hi := span(m.MetricInfo)
			if d := math.Abs(b-a) / (hi - lo); had && has && d > size[best.id] {
				size[best.id] = d
				best.row, best.old, best.new = row, a, b
			}
		}
		if best.row >= 0 {
			out = append(out, best)
		}
	}
	slices.SortStableFunc(out, func(a, b change) int { return cmp.Compare(size[b.id], size[a.id]) })
	return out
}

// paired gives the value with which a case enters a comparison, by the rule of
// [summary.Compare]: a target that failed has the worst value where more is
// better, and none elsewhere.
func paired(m assay.MetricInfo, r assay.Record) (float64, bool) {
	switch s := r.Scores[m.Name]; {
	case s.State == assay.Scored:
		return s.Value, true
	case s.State == assay.TargetError && m.Better == "higher":
		return m.Range[0], true
	}
	return 0, false
}

// better counts the cases that the new run does better.
func better(m assay.MetricInfo, d stats.Comparison) int {
	if m.Better == "lower" {
		return d.Losses
	}
	return d.Wins
}

// worse counts the cases that the new run does worse.
func worse(m assay.MetricInfo, d stats.Comparison) int { return d.N - d.Ties - better(m, d) }
