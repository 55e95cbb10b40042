package report

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/assay-eval/assay/stats"
	"github.com/assay-eval/assay/summary"
)

// detectable is the smallest true difference that the cases of a row show with a
// probability of 80 %, for the run that needs the largest; ok is false when
// nothing tells.
func detectable(row summary.ComparisonRow) (mde float64, n int, ok bool) {
	for _, d := range row.Differences {
		if v, can := summary.Detects(d); can && (!ok || v > mde) {
			mde, n, ok = v, d.N, true
		}
	}
	return mde, n, ok
}

func finiteNumber(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// power says what the cases could have shown, a line for every number of cases:
// "300 cases can detect 0.03 in ndcg@10, 0.041 in hit@1, or more".
func (c *Comparison) power() []string {
	by := map[int][]string{}
	var counts []int
	for _, row := range c.Rows {
		v, n, ok := detectable(row)
		if !ok {
			continue
		}
		if by[n] == nil {
			counts = append(counts, n)
		}
		by[n] = append(by[n], fmt.Sprintf("%s in %s", summary.RoundedUp(v), line(row.Name)))
	}
	slices.SortStableFunc(counts, func(a, b int) int { return b - a })
	var out []string
	for _, n := range counts {
		out = append(out, fmt.Sprintf("%s can detect %s, or more", plural(n, "case", "cases"), strings.Join(by[n], ", ")))
	}
	return out
}

// mde shows what a difference could have shown, "" when nothing tells.
func mde(d stats.Comparison) string {
	v, ok := summary.Detects(d)
	if !ok {
		return ""
	}
	return summary.RoundedUp(v)
}

// uncorrected says that intervals are those of single tests, and whether one of
// them seems to say other than its p-value; "" when there is a single test.
func (c *Comparison) uncorrected() string {
	if c.Tests < 2 {
		return ""
	}
	for _, row := range c.Rows {
		for _, d := range row.Differences {
			if d.N > 0 && !summary.Shown(d) && d.P < 1-d.Level {
				return ", intervals of differences are not: one may leave out 0 where ~ stands"
			}
		}
	}
	return ", intervals of differences are not"
}
