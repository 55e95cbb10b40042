package stats

import "math"

// MDE is the smallest true mean difference that a paired test of n cases shows
// with the given power, when the standard deviation of the differences is sd:
// (z₁₋α⸝₂ + z_power)·sd/√n. alpha and power lie between 0 and 1, n is positive
// and sd is not negative; what breaks that has no such difference, and gives 0.
// With clusters, n is to be divided by the [DesignEffect].
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
// With clusters, n is to be multiplied by the [DesignEffect]. ok is false when
// delta is 0, alpha or power is not between 0 and 1, sd is negative, or n is too
// large for an int.
func SampleSize(sd, delta, alpha, power float64) (n int, ok bool) {
	if !isLevel(alpha) {
		return 0, false
	}
	return sampleSize(sd, delta, alpha/2, power)
}

// SampleSizeNonInferior is the number of cases with which a one-sided test shows
// that a system is no worse than another by margin, with the given power when
// they are the same: n = ⌈((z₁₋α + z_power)·sd/margin)²⌉. The rest is as in
// [SampleSize].
func SampleSizeNonInferior(sd, margin, alpha, power float64) (n int, ok bool) {
	return sampleSize(sd, margin, alpha, power)
}

func sampleSize(sd, delta, tail, power float64) (n int, ok bool) {
	if delta == 0 || math.IsNaN(delta) || !planned(sd, tail, power) {
		return 0, false
	}
	root := distance(tail, power) * sd / delta
	return whole(root * root)
}

// SampleSizeProportion is the number of cases with which a paired two-sided test
// of hits, McNemar's, shows a true difference of delta between two shares, when
// the systems differ in the share discordant of the cases:
//
//	n = ⌈(z₁₋α⸝₂·√pd + z_power·√(pd − δ²))²/δ²⌉, at least 1
//
// ok is false unless 0 < |delta| ≤ discordant ≤ 1 and alpha and power lie between
// 0 and 1, and when n is too large for an int. Source: Connor, Biometrics 1987.
func SampleSizeProportion(discordant, delta, alpha, power float64) (n int, ok bool) {
	if delta == 0 || !(math.Abs(delta) <= discordant) || discordant > 1 || !planned(discordant, alpha, power) {
		return 0, false
	}
	root := zQuantile(1-alpha/2)*math.Sqrt(discordant) + zQuantile(power)*math.Sqrt(discordant-delta*delta)
	return whole(root * root / (delta * delta))
}

// distance is how many standard errors a true difference must lie from 0 for the
// power. It is 0 when chance alone rejects as often as that.
func distance(tail, power float64) float64 {
	return max(0, zQuantile(1-tail)+zQuantile(power))
}

// planned reports whether a standard deviation, a level and a power can be.
func planned(sd, alpha, power float64) bool {
	return sd >= 0 && isFinite(sd) && isLevel(alpha) && isLevel(power)
}

// whole rounds up to a number of cases.
func whole(v float64) (n int, ok bool) {
	const most = 1 << 53 // beyond, a float64 holds no odd number
	if !(v <= most) {
		return 0, false
	}
	return max(1, int(math.Ceil(v))), true
}
