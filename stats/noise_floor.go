package stats

import "math"

// NoiseFloor bounds the difference between the means of two runs of the same
// system over the same n cases, with probability level: z·√2·sd/√n, where sd is
// the standard deviation of a case's score between runs and z the quantile of the
// normal distribution at (1+level)/2. A smaller difference between two systems is
// indistinguishable from running one of them twice. It is 0 for n below 1, or an
// invalid sd or level. With k draws per case, divide sd by √k.
func NoiseFloor(sd float64, n int, level float64) float64 {
	if n < 1 || !planned(sd, level, level) {
		return 0
	}
	return min(math.MaxFloat64, zQuantile((1+level)/2)*math.Sqrt2*sd/math.Sqrt(float64(n)))
}

// planned reports whether a standard deviation, a level and a power are valid.
func planned(sd, alpha, power float64) bool {
	return sd >= 0 && isFinite(sd) && isLevel(alpha) && isLevel(power)
}
