package report

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/assay-eval/assay/stats"
	"github.com/assay-eval/assay/summary"
)

// detectable is the smallest true difference that the cases of a row show with a
// probability of 80 %, for the run that needs the largest; ok is false when
// nothing tells.
func detectable(row summary.ComparisonRow) (mde float64, n int, ok bool) {
	for _, d := range row.Differences {
		if known(d.MDE) != nil && (!ok || *d.MDE > mde) {
			mde, n, ok = *d.MDE, d.N, true
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
		by[n] = append(by[n], fmt.Sprintf("%s in %s", roundedUp(v), line(row.Name)))
	}
	slices.SortStableFunc(counts, func(a, b int) int { return b - a })
	var out []string
	for _, n := range counts {
		out = append(out, fmt.Sprintf("%s can detect %s, or more", plural(n, "case", "cases"), strings.Join(by[n], ", ")))
	}
	return out
}

// powerNote says what the word detect means.
const powerNote = "detected with a probability of 80 %, before correction for several tests"

// mde shows what a difference could have shown, "" when nothing tells.
func mde(d stats.Comparison) string {
	if known(d.MDE) == nil {
		return ""
	}
	return roundedUp(*d.MDE)
}

// roundedUp gives two significant digits, upwards, as the sentences do: what can
// be detected must not look smaller than it is.
func roundedUp(v float64) string {
	if v <= 0 {
		return "0"
	}
	step := math.Pow10(int(math.Floor(math.Log10(v))) - 1)
	// A rounding error of the division is no reason to go one step up.
	return strconv.FormatFloat(math.Ceil(v/step-1e-9)*step, 'g', 2, 64)
}
