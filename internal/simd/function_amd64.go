package simd

func geluVector(l Level, x []float32) {
	if l == AVX512 {
		geluAVX512(&x[0], len(x), &geluTable[0])
		return
	}
	geluAVX2(&x[0], len(x), &geluTable[0])
}

func softmaxVector(l Level, x []float32, scale float32) {
	if l == AVX512 {
		softmaxAVX512(&x[0], len(x), scale, &expTable[0])
		return
	}
	softmaxAVX2(&x[0], len(x), scale, &expTable[0])
}

func layerNormVector(l Level, x, bias, gain, shift []float32, epsilon float32) {
	if l == AVX512 {
		layerNormAVX512(&x[0], &bias[0], &gain[0], &shift[0], len(x), epsilon)
		return
	}
	layerNormAVX2(&x[0], &bias[0], &gain[0], &shift[0], len(x), epsilon)
}

func transpose32Vector(dst, src *[Width * Width]float32) { transpose32AVX2(&dst[0], &src[0]) }

//go:noescape
func geluAVX2(x *float32, n int, table *repeated)

//go:noescape
func geluAVX512(x *float32, n int, table *repeated)

//go:noescape
func softmaxAVX2(x *float32, n int, scale float32, table *repeated)

//go:noescape
func softmaxAVX512(x *float32, n int, scale float32, table *repeated)

//go:noescape
func layerNormAVX2(x, bias, gain, shift *float32, n int, epsilon float32)

//go:noescape
func layerNormAVX512(x, bias, gain, shift *float32, n int, epsilon float32)

//go:noescape
func transpose32AVX2(dst, src *float32)
