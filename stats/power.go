package stats

import "math"

// MDE is the smallest true mean difference that a paired test of n cases shows
// with the given power, when the standard deviation of the differences is sd:
// (z₁₋α⸝₂ + z_power)·sd/√n. n must be positive; 0 < alpha < 1, 0 < power < 1.
// With clusters, n is to be divided by the design effect.
func MDE(sd float64, n int, alpha, power float64) float64 {
	return (zQuantile(1-alpha/2) + zQuantile(power)) * sd / math.Sqrt(float64(n))
}
