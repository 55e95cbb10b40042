package simd

func dotVector(l Level, a, b []float32) float32 {
	if l == AVX512 {
		return dotAVX512(&a[0], &b[0], len(a))
	}
	return dotAVX2(&a[0], &b[0], len(a))
}

//go:noescape
func dotAVX2(a, b *float32, n int) float32

//go:noescape
func dotAVX512(a, b *float32, n int) float32
