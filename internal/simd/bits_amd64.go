package simd

// unpackVector returns how many values it unpacked.
func unpackVector(dst []uint32, data []byte, width uint8) int {
	n := groups(len(dst), data, width)
	if n > 0 {
		unpackAVX2(&dst[0], &data[0], n, int(width), &spreads[width])
	}
	return 8 * n
}

func unpackSumsVector(dst []uint32, data []byte, width uint8, before uint32) int {
	n := groups(len(dst), data, width)
	if n > 0 {
		unpackSumsAVX2(&dst[0], &data[0], n, int(width), &spreads[width], before)
	}
	return 8 * n
}

//go:noescape
func unpackAVX2(dst *uint32, data *byte, groups, width int, s *spread)

//go:noescape
func unpackSumsAVX2(dst *uint32, data *byte, groups, width int, s *spread, before uint32)
