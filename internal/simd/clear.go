package simd

// ClearGroup is how many values [Level.ClearUpTo] takes at a time.
const ClearGroup = 16

// ClearUpTo sets values to 0, a group at a time, until it comes to a group with a value
// above limit or to the last values, fewer than a group. It returns how many it set.
// Values and limit must be below 2⁶³.
func (l Level) ClearUpTo(values []uint64, limit uint64) int {
	if l > Generic {
		return clearVector(values, limit)
	}
	return clearUpTo(values, limit)
}

func clearUpTo(values []uint64, limit uint64) int {
	n := 0
	for ; n+ClearGroup <= len(values); n += ClearGroup {
		group := values[n : n+ClearGroup]
		for _, v := range group {
			if v > limit {
				return n
			}
		}
		clear(group)
	}
	return n
}
