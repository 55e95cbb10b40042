package stats

import "math"

// MDE is the smallest true mean difference that a paired test of n cases shows
// with the given power, when the standard deviation of the differences is sd:
// (z₁₋α⸝₂ + z_power)·sd/√n. alpha and power lie between 0 and 1, n is positive
// and sd is not negative; what breaks that has no such difference, and gives 0.
// With clusters, sd/√n is to be the cluster-robust standard error.
func MDE(sd float64, n int, alpha, power float64) float64 {
	if n < 1 || !planned(sd, alpha, power) {
		return 0
	}
	return min(math.MaxFloat64, distance(alpha/2, power)*sd/math.Sqrt(float64(n)))
}

// SampleSize is the number of cases with which a paired two-sided test shows a
// true mean difference of delta with the given power, when the standard
// deviation of the differences is sd:
//
//	n = ⌈((z₁₋α⸝₂ + z_power)·sd/delta)²⌉, at least 1
//
// A one-sided test, such as that of no loss beyond a margin, needs as many as a
// two-sided one at 2·alpha. ok is false when delta is 0, alpha or power is not
// between 0 and 1, sd is negative, or n is too large for an int.
func SampleSize(sd, delta, alpha, power float64) (n int, ok bool) {
	if delta == 0 || math.IsNaN(delta) || !planned(sd, alpha, power) {
		return 0, false
	}
	root := distance(alpha/2, power) * sd / delta
	const most = 1 << 53 // beyond, a float64 holds no odd number
	if root*root <= most {
		return max(1, int(math.Ceil(root*root))), true
	}
	return 0, false
}

// distance is how many standard errors a true difference must lie from 0 for the
// power. It is 0 when chance alone rejects as often as that.
func distance(tail, power float64) float64 {
	return max(0, zQuantile(1-tail)+zQuantile(power))
}

// planned reports whether a standard deviation, a level and a power are valid.
func planned(sd, alpha, power float64) bool {
	return sd >= 0 && isFinite(sd) && isLevel(alpha) && isLevel(power)
}
