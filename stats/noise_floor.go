package stats

import "math"

// NoiseFloor is how far apart the means of two runs of one system over the same n
// cases lie at most, in as many pairs of runs as the level says, when sd is the
// standard deviation of what one run adds to a case by chance:
// z·√2·sd/√n, with z the quantile of the normal distribution at (1+level)/2. A
// smaller difference between two systems says nothing that running one of them
// twice would not say. It is 0 for n below 1 and for an sd or a level that cannot
// be. With k draws a case, sd is to be divided by √k.
func NoiseFloor(sd float64, n int, level float64) float64 {
	if n < 1 || !planned(sd, level, level) {
		return 0
	}
	return min(math.MaxFloat64, zQuantile((1+level)/2)*math.Sqrt2*sd/math.Sqrt(float64(n)))
}
