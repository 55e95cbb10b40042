package simd_test

import (
	"slices"
	"testing"

	"github.com/assay-eval/assay/internal/simd"
)

func TestClearUpTo(t *testing.T) {
	t.Parallel()
	const most = 1<<63 - 1
	for n := range 70 {
		for place := range n + 1 {
			for _, limit := range []uint64{0, 7, 1 << 40, most - 1} {
				// A value that follows the slice is neither found nor cleared.
				values := append(slices.Repeat([]uint64{limit, 0}, n)[:n], most)
				if place < n {
					values[place] = limit + 1
					values[n-1] = most
				}
				groups := min(place, n) / simd.ClearGroup * simd.ClearGroup
				want := slices.Clone(values)
				clear(want[:groups])
				for _, l := range simd.Levels() {
					got := slices.Clone(values)
					if cleared := l.ClearUpTo(got[:n], limit); cleared != groups || !slices.Equal(got, want) {
						t.Errorf("%v: %d values, one above at %d: %d cleared, want %d: %v", l, n, place, cleared, groups, got)
					}
				}
			}
		}
	}
}

func BenchmarkClearUpTo(b *testing.B) {
	values := make([]uint64, 1024)
	for _, l := range simd.Levels() {
		b.Run(l.String(), func(b *testing.B) {
			for b.Loop() {
				l.ClearUpTo(values, 7)
			}
		})
	}
}
