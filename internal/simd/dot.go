package simd

// Dot returns the sum of a[i]·b[i], 0 for empty vectors. It panics if the lengths
// differ.
func Dot(a, b []float32) float32 { return best.Dot(a, b) }

// Dot is the function [Dot] at level l.
func (l Level) Dot(a, b []float32) float32 {
	sameLength(a, b)
	switch {
	case len(a) == 0:
		return 0
	case l == Generic:
		return dot(a, b)
	default:
		return dotVector(l, a, b)
	}
}

func dot(a, b []float32) float32 {
	var sum [4]float32
	b = b[:len(a)]
	i := 0
	for ; i+4 <= len(a); i += 4 {
		sum[0] += a[i] * b[i]
		sum[1] += a[i+1] * b[i+1]
		sum[2] += a[i+2] * b[i+2]
		sum[3] += a[i+3] * b[i+3]
	}
	for ; i < len(a); i++ {
		sum[0] += a[i] * b[i]
	}
	return (sum[0] + sum[1]) + (sum[2] + sum[3])
}
