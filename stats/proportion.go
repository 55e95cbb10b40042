package stats

import (
	"math"
)

// Wilson returns the score interval of a proportion of x successes in n trials, 0
// ≤ x ≤ n; x need not be whole, for example for a mean of ratios. It is the
// default interval of a proportion. Without trials, or if the level is not
// between 0 and 1, it is 0…1. Source: Wilson, JASA 1927.
func Wilson(x float64, n int, level float64) Interval {
	if n < 1 || !isLevel(level) || !(x >= 0 && x <= float64(n)) {
		return Interval{0, 1}
	}
	return score(x/float64(n), float64(n), zQuantile((1+level)/2))
}

// score is Wilson's interval of a share p of n trials, for the quantile z. It holds p, also where
// rounding would leave out a share of 0 or 1.
func score(p, f, z float64) Interval {
	mid := (p + z*z/(2*f)) / (1 + z*z/f)
	half := z / (1 + z*z/f) * math.Sqrt(p*(1-p)/f+z*z/(4*f*f))
	return Interval{min(mid-half, p), max(mid+half, p)}.Clip(0, 1)
}

// ClopperPearson returns the exact interval of a proportion of x successes in n
// trials, 0 ≤ x ≤ n. Its coverage is at least the level for every n, which
// matters if there are no successes, as in 0 of n. It is wider than Wilson's.
// Without trials, or if the level is not between 0 and 1, it is 0…1. Source:
// Clopper and Pearson, Biometrika 1934.
func ClopperPearson(x, n int, level float64) Interval {
	ci := Interval{0, 1}
	if n < 1 || x < 0 || x > n || !isLevel(level) {
		return ci
	}
	tail := (1 - level) / 2
	if x > 0 {
		ci.Lo = betaQuantile(tail, float64(x), float64(n-x+1))
	}
	if x < n {
		ci.Hi = betaQuantile(1-tail, float64(x+1), float64(n-x))
	}
	return ci
}
