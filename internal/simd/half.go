package simd

import (
	"fmt"
	"math"
)

// Widen converts src, little-endian numbers of half precision (IEEE 754 binary16), to
// dst. It panics unless src has two bytes per value. The conversion is exact.
func (l Level) Widen(dst []float32, src string) {
	if len(src) != 2*len(dst) {
		panic(fmt.Sprintf("simd: %d bytes of half precision for %d values", len(src), len(dst)))
	}
	whole := len(dst) / lanes * lanes
	if l == Generic || whole == 0 {
		whole = 0
	} else {
		widenVector(l, dst[:whole], src)
	}
	for i := whole; i < len(dst); i++ {
		dst[i] = Half(uint16(src[2*i]) | uint16(src[2*i+1])<<8)
	}
}

// Half converts a number of half precision.
func Half(h uint16) float32 {
	sign, exponent, fraction := uint32(h>>15)<<31, uint32(h>>10)&31, uint32(h)&1023
	switch exponent {
	case 0: // zero, or fraction·2⁻²⁴
		return math.Float32frombits(sign | math.Float32bits(float32(fraction)*0x1p-24))
	case 31: // infinite, or not a number
		return math.Float32frombits(sign | 0x7F800000 | fraction<<13)
	}
	return math.Float32frombits(sign | (exponent+127-15)<<23 | fraction<<13)
}
