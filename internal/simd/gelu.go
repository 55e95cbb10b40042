package simd

import "math"

// The distribution function of the standard normal distribution is computed as
// ½ + u·P(u²)/Q(u²), with u held to ±geluEnd: beyond it the function is 0 or 1
// to the last bit of a float32. P and Q, of degree 5, minimise the greatest
// error, which is 7e-9 before rounding (scripts/minilm/gelu.py finds them).
const geluEnd = 5.5

var (
	geluP = [...]float32{0.398942232, 0.0338526815, 0.00467726216, 0.00016882598, 6.35211518e-06, 2.27493491e-08}
	geluQ = [...]float32{1, 0.251522005, 0.0286458917, 0.0018844466, 7.36475704e-05, 1.19750325e-06}
)

// GELU replaces each x by x·Φ(x), where Φ is the distribution function of the
// standard normal distribution: the exact variant, not the one by tanh. The
// error is below 1e-6. Source: Hendrycks & Gimpel, Gaussian Error Linear Units,
// 2016.
func (l Level) GELU(x []float32) {
	whole := len(x) / lanes * lanes
	if l == Generic || whole == 0 {
		gelu(x)
		return
	}
	geluVector(l, x[:whole])
	if rest := x[whole:]; len(rest) > 0 {
		var padded [lanes]float32
		copy(padded[:], rest)
		geluVector(l, padded[:])
		copy(rest, padded[:])
	}
}

func gelu(x []float32) {
	for i, v := range x {
		x[i] = float32(float64(v) * 0.5 * math.Erfc(-float64(v)/math.Sqrt2))
	}
}
