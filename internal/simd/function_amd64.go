package simd

// repeated holds a constant eight times, to be loaded as one register.
type repeated [8]float32

func repeat(values ...float32) []repeated {
	out := make([]repeated, len(values))
	for i, v := range values {
		for j := range out[i] {
			out[i][j] = v
		}
	}
	return out
}

// The tables are in the order of the row names in the kernels.
var (
	geluTable = repeat(
		-geluEnd, geluEnd, 0.5,
		geluP[5], geluP[4], geluP[3], geluP[2], geluP[1], geluP[0],
		geluQ[5], geluQ[4], geluQ[3], geluQ[2], geluQ[1], geluQ[0],
	)
	expTable = repeat(
		expLow, 1.44269504, expRound, -ln2High, -ln2Low,
		1./5040, 1./720, 1./120, 1./24, 1./6, 1./2, 1, 1,
	)
)

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
