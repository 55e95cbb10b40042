// Package simd holds the vector and matrix arithmetic on float32 that dominates search
// and the embedding model, unpacks the numbers of an index, and counts the edits between long
// texts, with assembly kernels for x86-64 and arm64 and a plain Go version of each. The Go
// version is the oracle of the tests and runs on every other machine.
//
// The AVX2, AVX-512 and NEON kernels give identical bytes: every sum is taken over the same
// sixteen lanes in the same order, and every product is fused into its addition. Only the
// bits of results that are not a number may differ between x86-64 and arm64. The Go
// version rounds products before it adds them, or not, as the compiler chooses, and may
// differ in the last bits. docs/machines.md says what runs at full speed where.
package simd

import "fmt"

// A Level is an instruction set of a processor. Its methods are the kernels for it;
// calling them on a processor without it crashes the program.
type Level uint8

// The levels.
const (
	Generic Level = iota // plain Go
	AVX2                 // x86-64 with AVX2, FMA and F16C
	AVX512               // with AVX-512 F, DQ, BW and VL as well
	NEON                 // arm64: what every processor has, without extensions
)

// String returns the name of l in lower case, such as "avx512".
func (l Level) String() string {
	switch l {
	case Generic:
		return "generic"
	case AVX2:
		return "avx2"
	case AVX512:
		return "avx512"
	case NEON:
		return "neon"
	}
	return fmt.Sprintf("Level(%d)", uint8(l))
}

// best is the level of this processor.
var best = detect()

// Best returns the fastest level of this processor.
func Best() Level { return best }

// lanes is the number of partial sums of every reduction, regardless of the register
// width.
const lanes = 16

func sameLength(a, b []float32) {
	if len(a) != len(b) {
		panic(fmt.Sprintf("simd: vectors of %d and %d values", len(a), len(b)))
	}
}
