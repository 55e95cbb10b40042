package simd

func advanceEditsVector(more, less []uint64, match *[EditRows][]uint64, blocks int) int {
	return EditRows - advanceEditsAVX2(&more[0], &less[0], match, blocks)
}

// advanceEditsAVX2 returns EditRows less the change.
//
//go:noescape
func advanceEditsAVX2(more, less *uint64, match *[EditRows][]uint64, blocks int) int
