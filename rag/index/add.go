package index

// addPlain adds a term's contributions to the sums of a window whose first passage is lo:
// for a passage with the length code l that contains the term n+1 times, where n is its
// count, below tableTF, table[l·tableTF + n].
func addPlain(sums *[window]uint64, lo uint32, passages, counts []uint32, lengths []byte, table *[256 * tableTF]uint64) {
	for i, p := range passages {
		sums[p-lo] += table[uint(lengths[p])*tableTF+uint(counts[i])]
	}
}
