package simd

import "unsafe"

func widenVector(l Level, dst []float32, src string) {
	if l == AVX512 {
		widenAVX512(&dst[0], unsafe.StringData(src), len(dst))
		return
	}
	widenAVX2(&dst[0], unsafe.StringData(src), len(dst))
}

//go:noescape
func widenAVX2(dst *float32, src *byte, n int)

//go:noescape
func widenAVX512(dst *float32, src *byte, n int)
