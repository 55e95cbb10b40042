//go:build !amd64 && !arm64

package index

func add(sums *[window]uint64, lo uint32, passages, counts []uint32, lengths []byte, table *[256 * tableTF]uint64) {
	addPlain(sums, lo, passages, counts, lengths, table)
}
