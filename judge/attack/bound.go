package attack

import (
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/assay-eval/assay/stats"
)

// clopper gives the exact interval of a proportion of x in n, for which n must be
// positive. It never promises too much, which matters where nothing is to be
// found. Source: Clopper and Pearson, Biometrika 1934.
func clopper(x, n int, level float64) stats.Interval {
	tail := (1 - level) / 2
	ci := stats.Interval{Lo: 0, Hi: 1}
	if x > 0 {
		ci.Lo = distuv.Beta{Alpha: float64(x), Beta: float64(n - x + 1)}.Quantile(tail)
	}
	if x < n {
		ci.Hi = distuv.Beta{Alpha: float64(x + 1), Beta: float64(n - x)}.Quantile(1 - tail)
	}
	return ci
}
