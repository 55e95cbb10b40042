//go:build !amd64

package simd

// Four lanes of 64 bits and a shift of lanes make the kernel worth it on x86-64. A register of
// arm64 has two, so that a kernel would do no more words at once than the processor does of
// the plain version, which keeps two rows apart in the general registers for that.
func advanceEditsVector(more, less []uint64, match *[EditRows][]uint64, blocks int) int {
	return advanceEdits(more, less, match, blocks)
}
