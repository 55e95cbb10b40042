package stats

import "math"

// Pearson is the linear correlation of two lists, −1 to 1. It is not ok with
// fewer than two items, when one of the lists is constant, or with a number that
// is not finite.
func Pearson(a, b []float64) (r float64, ok bool) {
	if len(a) != len(b) || len(a) < 2 || !finite(a) || !finite(b) || constant(a) || constant(b) {
		return 0, false
	}
	va, vb := covariance(a, a), covariance(b, b)
	if !(va > 0 && vb > 0) || math.IsInf(va, 0) || math.IsInf(vb, 0) {
		return 0, false
	}
	// The roots apart: the product of two small variances may be 0.
	return min(max(covariance(a, b)/math.Sqrt(va)/math.Sqrt(vb), -1), 1), true
}

// constant compares values, since a mean that is rounded makes equal values vary.
func constant(values []float64) bool {
	for _, v := range values {
		if v != values[0] {
			return false
		}
	}
	return true
}

// Spearman is the correlation of the ranks of two lists, −1 to 1, equal values
// having the mean of their ranks. Not ok as [Pearson].
func Spearman(a, b []float64) (rho float64, ok bool) {
	if !finite(a) || !finite(b) {
		return 0, false
	}
	ra, okA := ranks(a)
	rb, okB := ranks(b)
	if !okA || !okB {
		return 0, false
	}
	return Pearson(ra, rb)
}
