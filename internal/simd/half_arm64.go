package simd

import "unsafe"

func widenVector(_ Level, dst []float32, src string) {
	widenNEON(&dst[0], unsafe.StringData(src), len(dst))
}

//go:noescape
func widenNEON(dst *float32, src *byte, n int)
