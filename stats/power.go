package stats

import "math"

// SampleSize is the number of cases with which a paired two-sided test detects a
// true mean difference of delta with the given power, if the standard deviation
// of the differences is sd:
//
//	n = ⌈((z₁₋α⸝₂ + z_power)·sd/delta)²⌉, at least 1
//
// A one-sided test, such as a non-inferiority test, needs as many cases as a
// two-sided one at 2·alpha. ok is false if delta is 0, alpha or power is not
// between 0 and 1, sd is negative, or n does not fit an int.
func SampleSize(sd, delta, alpha, power float64) (n int, ok bool) {
	if delta == 0 || math.IsNaN(delta) || !planned(sd, alpha, power) {
		return 0, false
	}
	root := distance(alpha/2, power) * sd / delta
	const most = 1 << 53 // beyond this a float64 cannot hold odd numbers
	if root*root <= most {
		return max(1, int(math.Ceil(root*root))), true
	}
	return 0, false
}

// distance is the distance of the true difference from 0, in standard errors,
// that gives the power. It is 0 if the test rejects that often by chance.
func distance(tail, power float64) float64 {
	return max(0, zQuantile(1-tail)+zQuantile(power))
}

// planned reports whether a standard deviation, a level and a power are valid.
func planned(sd, alpha, power float64) bool {
	return sd >= 0 && isFinite(sd) && isLevel(alpha) && isLevel(power)
}
