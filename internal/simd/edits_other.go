//go:build !amd64

package simd

func advanceEditsVector([]uint64, []uint64, *[EditRows][]uint64, int) int { panic("simd: no kernel") }
