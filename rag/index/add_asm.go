//go:build amd64 || arm64

package index

import "github.com/assay-eval/assay/internal/simd"

// add is [addPlain] without checks of bounds: every index is built or checked so that
// passages have lengths, and cursors pass the passages of the window.
func add(sums *[window]uint64, lo uint32, passages, counts []uint32, lengths []byte, table *[256 * tableTF]uint64) {
	switch {
	case simd.Best() == simd.Generic:
		addPlain(sums, lo, passages, counts, lengths, table)
	case len(passages) > 0:
		addScalar(&sums[0], int(lo), &passages[0], &counts[0], len(passages), &lengths[0], &table[0])
	}
}

//go:noescape
func addScalar(sums *uint64, lo int, passages, counts *uint32, n int, lengths *byte, table *uint64)
