package simd

import (
	"fmt"
	"math"
)

// Constants of the exponential: eˣ = 2ᵏ·eʳ with k = round(x/ln 2) and
// |r| ≤ ½·ln 2, where the Taylor polynomial of degree 7 is exact to 5e-9.
// Adding expRound, 1.5·2²³, to a small number rounds it to an integer, which
// is then found in the lowest bits. ln 2 is split so that k times its first
// part is exact. Below expLow the result stays at e⁻⁸⁶, about 4e-38.
const (
	expLow   = -86
	expRound = 0x1.8p23
	ln2High  = 0x1.62e4p-1
	ln2Low   = math.Ln2 - ln2High
)

// Softmax replaces the first n values of x by e^(scale·xᵢ) divided by the sum
// of these. The length of x must be a multiple of 16 and scale positive; the
// values from n on are overwritten. It panics unless 1 ≤ n ≤ len(x).
func (l Level) Softmax(x []float32, n int, scale float32) {
	if n < 1 || n > len(x) || len(x)%lanes != 0 {
		panic(fmt.Sprintf("simd: softmax of %d of %d values", n, len(x)))
	}
	if l == Generic {
		softmax(x[:n], scale)
		return
	}
	x = x[:(n+lanes-1)/lanes*lanes]
	for i := n; i < len(x); i++ {
		x[i] = float32(math.Inf(-1))
	}
	softmaxVector(l, x, scale)
}

func softmax(x []float32, scale float32) {
	top := x[0]
	for _, v := range x {
		top = max(top, v)
	}
	var sum float32
	for i, v := range x {
		e := float32(math.Exp(float64((v - top) * scale)))
		x[i] = e
		sum += e
	}
	for i := range x {
		x[i] *= 1 / sum
	}
}
