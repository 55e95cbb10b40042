package stats

import "math"

// Pearson is the linear correlation of two lists, −1 to 1. ok is false with fewer
// than two items, if one of the lists is constant, or if a number is not finite.
func Pearson(a, b []float64) (r float64, ok bool) {
	if len(a) != len(b) || len(a) < 2 || !finite(a) || !finite(b) || constant(a) || constant(b) {
		return 0, false
	}
	va, vb := covariance(a, a), covariance(b, b)
	if !(va > 0 && vb > 0) || math.IsInf(va, 0) || math.IsInf(vb, 0) {
		return 0, false
	}
	// Take the roots separately: the product of two small variances may
	// underflow.
	return min(max(covariance(a, b)/math.Sqrt(va)/math.Sqrt(vb), -1), 1), true
}

// constant compares values directly, because rounding of the mean gives equal
// values a variance.
func constant(values []float64) bool {
	for _, v := range values {
		if v != values[0] {
			return false
		}
	}
	return true
}

// Spearman is the rank correlation of two lists, −1 to 1; equal values share the
// mean of their ranks. ok is false as in [Pearson].
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

// covariance divides by n−1; the lists must have the same length, at least two.
func covariance(a, b []float64) float64 {
	var ma, mb, sum float64
	n := float64(len(a))
	for i := range a {
		ma += a[i] / n
		mb += b[i] / n
	}
	for i := range a {
		sum += (a[i] - ma) * (b[i] - mb)
	}
	return sum / (n - 1)
}
