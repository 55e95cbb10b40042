package report

import (
	"maps"
	"math"
	"slices"

	"github.com/assay-eval/assay/report/words"
	"github.com/assay-eval/assay/stats"
	"github.com/assay-eval/assay/summary"
)

// detectable returns the smallest true difference that the cases of a row detect with
// a power of 80 %, for the run that needs the largest. ok is false if it is not known.
func detectable(row summary.ComparisonRow) (mde float64, n int, ok bool) {
	for _, d := range row.Differences {
		if v, can := summary.Detects(d); can && (!ok || v > mde) {
			mde, n, ok = v, d.N, true
		}
	}
	return mde, n, ok
}

func finiteNumber(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// power returns the detectable differences, one line per number of cases: "300 cases
// can detect 0.03 in ndcg@10, 0.041 in hit@1, or more".
func (x *compared) power() []string {
	by := map[int][]words.Detectable{}
	for _, row := range x.c.Rows {
		if v, n, ok := detectable(row); ok {
			by[n] = append(by[n], words.Detectable{Difference: summary.RoundedUp(v), Metric: line(row.Name)})
		}
	}
	var out []string
	for _, n := range slices.Backward(slices.Sorted(maps.Keys(by))) {
		out = append(out, x.w.Power(n, by[n]))
	}
	return out
}

// mde returns the minimum detectable effect of a difference, or "" if it is not known.
func mde(d stats.Comparison) string {
	v, ok := summary.Detects(d)
	if !ok {
		return ""
	}
	return summary.RoundedUp(v)
}

// contradicted reports whether the interval of any difference seems to contradict its
// p-value, which is corrected for the number of tests.
func (c *Comparison) contradicted() bool {
	for _, row := range c.Rows {
		for _, d := range row.Differences {
			if d.N > 0 && !summary.Shown(d) && d.P < 1-d.Level {
				return true
			}
		}
	}
	return false
}
