package stats

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// Wilson gives the score interval of a proportion of x successes in n trials,
// 0 ≤ x ≤ n; x need not be whole, as a mean of ratios is not. It is the default
// for a proportion. Without trials, or at a level that is not between 0 and 1,
// nothing is known: 0…1. Source: Wilson, JASA 1927.
func Wilson(x float64, n int, level float64) Interval {
	if n < 1 || !isLevel(level) || !(x >= 0 && x <= float64(n)) {
		return Interval{0, 1}
	}
	z := zQuantile((1 + level) / 2)
	f := float64(n)
	p := x / f
	mid := (p + z*z/(2*f)) / (1 + z*z/f)
	half := z / (1 + z*z/f) * math.Sqrt(p*(1-p)/f+z*z/(4*f*f))
	return Interval{mid - half, mid + half}.Clip(0, 1)
}

// ClopperPearson gives the exact interval of a proportion of x successes in n
// trials, 0 ≤ x ≤ n. It holds the true proportion at least as often as the level
// says, however small n is, and so never promises too much: that matters where
// nothing is to be found, as in 0 of n. It is wider than Wilson's. Without
// trials, or at a level that is not between 0 and 1, nothing is known: 0…1.
// Source: Clopper and Pearson, Biometrika 1934.
func ClopperPearson(x, n int, level float64) Interval {
	ci := Interval{0, 1}
	if n < 1 || x < 0 || x > n || !isLevel(level) {
		return ci
	}
	tail := (1 - level) / 2
	if x > 0 {
		ci.Lo = distuv.Beta{Alpha: float64(x), Beta: float64(n - x + 1)}.Quantile(tail)
	}
	if x < n {
		ci.Hi = distuv.Beta{Alpha: float64(x + 1), Beta: float64(n - x)}.Quantile(1 - tail)
	}
	return ci
}
