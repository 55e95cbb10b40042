package simd

func geluVector(_ Level, x []float32) { geluNEON(&x[0], len(x), &geluTable[0]) }

func softmaxVector(_ Level, x []float32, scale float32) {
	softmaxNEON(&x[0], len(x), scale, &expTable[0])
}

func layerNormVector(_ Level, x, bias, gain, shift []float32, epsilon float32) {
	layerNormNEON(&x[0], &bias[0], &gain[0], &shift[0], len(x), epsilon)
}

func transpose32Vector(dst, src *[Width * Width]float32) { transpose32NEON(&dst[0], &src[0]) }

//go:noescape
func geluNEON(x *float32, n int, table *repeated)

//go:noescape
func softmaxNEON(x *float32, n int, scale float32, table *repeated)

//go:noescape
func layerNormNEON(x, bias, gain, shift *float32, n int, epsilon float32)

//go:noescape
func transpose32NEON(dst, src *float32)
