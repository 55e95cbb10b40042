package simd

import (
	"encoding/binary"
	"fmt"
)

// bitsSlack is how many bytes from the start of a packed value must be readable.
const bitsSlack = 8

// Unpack sets dst to values that are packed into width bits each, 0 to 32, without gaps
// from the lowest bit of the first byte on. It panics unless 8 bytes can be read from
// the start of each value.
func (l Level) Unpack(dst []uint32, data []byte, width uint8) {
	checkPacked(len(dst), data, width)
	n := 0
	if l > Generic {
		n = unpackVector(dst, data, width)
	}
	mask := uint64(1)<<width - 1
	for i := n; i < len(dst); i++ {
		bit := i * int(width)
		dst[i] = uint32(binary.LittleEndian.Uint64(data[bit>>3:]) >> (bit & 7) & mask)
	}
}

// UnpackSums sets dst to ascending numbers whose gaps are packed as for
// [Level.Unpack]: dst[i] is the number before it plus 1 plus value i, modulo 2³², and
// the number before the first is before.
func (l Level) UnpackSums(dst []uint32, data []byte, width uint8, before uint32) {
	checkPacked(len(dst), data, width)
	n := 0
	if l > Generic {
		if n = unpackSumsVector(dst, data, width, before); n > 0 {
			before = dst[n-1]
		}
	}
	mask := uint64(1)<<width - 1
	for i := n; i < len(dst); i++ {
		bit := i * int(width)
		before += uint32(binary.LittleEndian.Uint64(data[bit>>3:])>>(bit&7)&mask) + 1
		dst[i] = before
	}
}

func checkPacked(n int, data []byte, width uint8) {
	if width > 32 || n > 0 && (n-1)*int(width)>>3+bitsSlack > len(data) {
		panic(fmt.Sprintf("simd: %d values of %d bits in %d bytes", n, width, len(data)))
	}
}
