package simd

func clearVector(values []uint64, limit uint64) int {
	if len(values) < ClearGroup {
		return 0
	}
	return clearNEON(&values[0], len(values)/ClearGroup, limit)
}

//go:noescape
func clearNEON(values *uint64, groups int, limit uint64) int
