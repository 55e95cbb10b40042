package simd

func clearVector(values []uint64, limit uint64) int {
	if len(values) < ClearGroup {
		return 0
	}
	return clearAVX2(&values[0], len(values)/ClearGroup, limit)
}

//go:noescape
func clearAVX2(values *uint64, groups int, limit uint64) int
