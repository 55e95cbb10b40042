package simd

import (
	"fmt"
	"math"
)

// LayerNorm adds bias to x, subtracts the mean, divides by the square root of
// the variance plus epsilon, multiplies by gain and adds shift. The lengths
// must be equal and a multiple of 16. Source: Ba, Kiros & Hinton, Layer
// Normalization, 2016.
func (l Level) LayerNorm(x, bias, gain, shift []float32, epsilon float32) {
	sameLength(x, bias)
	sameLength(x, gain)
	sameLength(x, shift)
	if len(x) == 0 || len(x)%lanes != 0 {
		panic(fmt.Sprintf("simd: layer norm of %d values: expected a multiple of %d", len(x), lanes))
	}
	if l == Generic {
		layerNorm(x, bias, gain, shift, epsilon)
		return
	}
	layerNormVector(l, x, bias, gain, shift, epsilon)
}

func layerNorm(x, bias, gain, shift []float32, epsilon float32) {
	n := float32(len(x))
	var sum float32
	for i := range x {
		x[i] += bias[i]
		sum += x[i]
	}
	mean := sum / n
	var squares float32
	for i := range x {
		x[i] -= mean
		squares += x[i] * x[i]
	}
	inverse := 1 / float32(math.Sqrt(float64(squares/n+epsilon)))
	for i := range x {
		x[i] = x[i]*inverse*gain[i] + shift[i]
	}
}
