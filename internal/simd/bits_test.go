package simd_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/assay-eval/assay/internal/simd"
)

// packed appends values of width bits, bit by bit.
func packed(values []uint32, width int) []byte {
	out := make([]byte, (len(values)*width+7)/8)
	for i, v := range values {
		for j := range width {
			out[(i*width+j)/8] |= byte(v>>j&1) << ((i*width + j) % 8)
		}
	}
	return out
}

func TestUnpack(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(5, 6))
	for width := range 33 {
		for _, n := range []int{0, 1, 7, 8, 9, 16, 31, 127, 128, 300} {
			values := make([]uint32, n)
			for i := range values {
				values[i] = uint32(r.Uint64() & (1<<width - 1))
			}
			before := r.Uint32()
			sums := make([]uint32, n)
			for i, sum := 0, before; i < n; i++ {
				sum += values[i] + 1
				sums[i] = sum
			}
			data := packed(values, width)
			// Between the slack that is needed and plenty.
			for _, slack := range []int{8, 9, 15, 40} {
				data := append(slices.Clone(data), make([]byte, slack)...)
				for i := len(data) - slack; i < len(data); i++ {
					data[i] = 0xFF
				}
				data = slices.Clip(data)
				for _, l := range simd.Levels() {
					got := make([]uint32, n+1)
					if l.Unpack(got[:n], data, uint8(width)); !slices.Equal(got[:n], values) || got[n] != 0 {
						t.Errorf("%v: %d values of %d bits, slack %d: %v, want %v", l, n, width, slack, got, values)
					}
					if l.UnpackSums(got[:n], data, uint8(width), before); !slices.Equal(got[:n], sums) || got[n] != 0 {
						t.Errorf("%v: %d sums of %d bits, slack %d: %v, want %v", l, n, width, slack, got, sums)
					}
				}
			}
		}
	}
}

func TestUnpackBeyondTheData(t *testing.T) {
	t.Parallel()
	for _, l := range simd.Levels() {
		for _, f := range []func(){
			func() { l.Unpack(make([]uint32, 9), make([]byte, 15), 8) },
			func() { l.UnpackSums(make([]uint32, 9), make([]byte, 15), 8, 0) },
			func() { l.Unpack(make([]uint32, 1), make([]byte, 20), 33) },
		} {
			func() {
				defer func() {
					if recover() == nil {
						t.Errorf("%v: no panic", l)
					}
				}()
				f()
			}()
		}
	}
}

func BenchmarkUnpackSums(b *testing.B) {
	data := make([]byte, 1024)
	dst := make([]uint32, 128)
	for _, l := range simd.Levels() {
		b.Run(l.String(), func(b *testing.B) {
			for b.Loop() {
				l.UnpackSums(dst, data, 5, 0)
			}
		})
	}
}
