//go:build !amd64 && !arm64

package simd

func widenVector(_ Level, dst []float32, src string) {
	for i := range dst {
		dst[i] = Half(uint16(src[2*i]) | uint16(src[2*i+1])<<8)
	}
}

func geluVector(_ Level, x []float32) { gelu(x) }

func softmaxVector(_ Level, x []float32, scale float32) { softmax(x, scale) }

func layerNormVector(_ Level, x, bias, gain, shift []float32, epsilon float32) {
	layerNorm(x, bias, gain, shift, epsilon)
}

func transpose32Vector(dst, src *[Width * Width]float32) { transpose32(dst, src) }
