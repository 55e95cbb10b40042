package simd

func dotVector(_ Level, a, b []float32) float32 {
	whole := len(a) / lanes * lanes
	if whole == len(a) {
		return dotNEON(&a[0], &b[0], whole, nil)
	}
	var last [2][lanes]float32
	copy(last[0][:], a[whole:])
	copy(last[1][:], b[whole:])
	return dotNEON(&a[0], &b[0], whole, &last)
}

// dotNEON takes n values, a multiple of 16, and those of last, unless it is nil.
//
//go:noescape
func dotNEON(a, b *float32, n int, last *[2][lanes]float32) float32
