package stats

import "math"

// An Unpaired describes the difference of two means over different cases.
type Unpaired struct {
	NOld int `json:"n_old"`
	NNew int `json:"n_new"`
	// Diff is the mean of new less the mean of old.
	Diff float64 `json:"diff"`
	SE   float64 `json:"se"`
	// DF are the degrees of freedom of Welch and Satterthwaite; 0 when SE is 0.
	DF float64  `json:"df"`
	CI Interval `json:"ci"`
}

// Welch gives the interval of the difference of two means over different cases,
// whose variances may differ:
//
//	se² = s₁²/n₁ + s₂²/n₂,  df = se⁴/((s₁²/n₁)²/(n₁−1) + (s₂²/n₂)²/(n₂−1))
//
// It is for description only: cases that one system saw and the other did not
// may be harder, so nothing is decided by it (metrics.md §4.2). It gives no
// p-value for that reason. ok is false with fewer than two values on either
// side, with numbers that are not finite or too large to be squared, and at a
// level that is not between 0 and 1. Source: Welch, Biometrika 1947.
func Welch(old, new []float64, level float64) (u Unpaired, ok bool) {
	if len(old) < 2 || len(new) < 2 || !isLevel(level) {
		return u, false
	}
	a, b := covariance(old, old)/float64(len(old)), covariance(new, new)/float64(len(new))
	u = Unpaired{NOld: len(old), NNew: len(new), Diff: average(new) - average(old), SE: math.Sqrt(a + b)}
	if !isFinite(u.Diff) || !isFinite(u.SE) {
		return Unpaired{}, false
	}
	u.CI = Interval{u.Diff, u.Diff}
	if u.SE == 0 {
		return u, true
	}
	// In shares of the variance, as its square may be too large for a number.
	share := a / (a + b)
	u.DF = 1 / (share*share/float64(len(old)-1) + (1-share)*(1-share)/float64(len(new)-1))
	ci := studentInterval(u.Diff, u.SE, u.DF, level)
	if ci == nil {
		return Unpaired{}, false
	}
	u.CI = *ci
	return u, true
}

// average of one value or more.
func average(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}
