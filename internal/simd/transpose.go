package simd

// Transpose32 sets dst to the transpose of src, both of 32 rows of 32 values.
func (l Level) Transpose32(dst, src *[Width * Width]float32) {
	if l == Generic {
		transpose32(dst, src)
		return
	}
	transpose32Vector(dst, src)
}

func transpose32(dst, src *[Width * Width]float32) {
	for i := range Width {
		for j := range Width {
			dst[j*Width+i] = src[i*Width+j]
		}
	}
}
