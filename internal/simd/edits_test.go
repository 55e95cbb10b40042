package simd_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/assay-eval/assay/internal/simd"
)

// plainEdits is the definition: a row of edits, cell by cell.
func plainEdits(row []int, matches func(row, column int) bool, rows int) {
	for r := range rows {
		corner := row[0]
		row[0]++
		for c := 1; c < len(row); c++ {
			best := min(row[c], row[c-1]) + 1
			if matches(r, c-1) {
				best = min(best, corner)
			}
			corner, row[c] = row[c], min(best, corner+1)
		}
	}
}

func TestAdvanceEdits(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(7, 8))
	for _, blocks := range []int{1, 2, 7, 8, 9, 15, 16, 40} {
		for _, share := range []float64{0, 0.02, 0.5, 0.98, 1} {
			columns := 64 * blocks
			row := make([]int, columns+1)
			for c := range columns {
				row[c+1] = row[c] + r.IntN(3) - 1
			}
			more, less := differences(row, r)
			var match [simd.EditRows][]uint64
			for i := range match {
				match[i] = noise(blocks+7, r)
				for b := range blocks {
					match[i][i+b] = 0
					for k := range 64 {
						if r.Float64() < share {
							match[i][i+b] |= 1 << k
						}
					}
				}
			}
			before := row[columns]
			plainEdits(row, func(row, column int) bool { return match[row][row+column/64]>>(column%64)&1 == 1 }, simd.EditRows)
			wantMore, wantLess := differences(row, r)
			for _, l := range simd.Levels() {
				m, n := slices.Clone(more), slices.Clone(less)
				if got := l.AdvanceEdits(m, n, &match, blocks); got != row[columns]-before {
					t.Errorf("%v: %d blocks, %v match: change %d, want %d", l, blocks, share, got, row[columns]-before)
				}
				if !slices.Equal(m[:blocks], wantMore[:blocks]) || !slices.Equal(n[:blocks], wantLess[:blocks]) {
					t.Errorf("%v: %d blocks, %v match: %x and %x, want %x and %x", l, blocks, share, m[:blocks], n[:blocks], wantMore[:blocks],
						wantLess[:blocks])
				}
				if !slices.Equal(m[blocks:], more[blocks:]) || !slices.Equal(n[blocks:], less[blocks:]) {
					t.Errorf("%v: %d blocks: wrote after them", l, blocks)
				}
			}
		}
	}
}

// differences returns the bits of columns that have one more, or one less, than the one
// before, and seven words of anything.
func differences(row []int, r *rand.Rand) (more, less []uint64) {
	more, less = noise(len(row)/64+7, r), noise(len(row)/64+7, r)
	for c := 1; c < len(row); c++ {
		b, bit := (c-1)/64, uint64(1)<<((c-1)%64)
		more[b], less[b] = more[b]&^bit, less[b]&^bit
		switch row[c] - row[c-1] {
		case 1:
			more[b] |= bit
		case -1:
			less[b] |= bit
		}
	}
	return more, less
}

func noise(n int, r *rand.Rand) []uint64 {
	out := make([]uint64, n)
	for i := range out {
		out[i] = r.Uint64()
	}
	return out
}

func TestAdvanceEditsRefuses(t *testing.T) {
	t.Parallel()
	words := func(n int) []uint64 { return make([]uint64, n) }
	for _, l := range simd.Levels() {
		for name, c := range map[string]struct{ more, less, match, blocks int }{
			"none": {7, 7, 7, 0}, "more": {15, 16, 16, 9}, "less": {16, 15, 16, 9}, "match": {16, 16, 15, 9},
		} {
			func() {
				defer func() {
					if recover() == nil {
						t.Errorf("%v: %s: no panic", l, name)
					}
				}()
				var match [simd.EditRows][]uint64
				for i := range match {
					match[i] = words(16)
				}
				match[5] = words(c.match)
				l.AdvanceEdits(words(c.more), words(c.less), &match, c.blocks)
			}()
		}
	}
}

func BenchmarkAdvanceEdits(b *testing.B) {
	r := rand.New(rand.NewPCG(7, 8))
	for _, blocks := range []int{8, 64, 512} {
		more, less := noise(blocks+7, r), noise(blocks+7, r)
		for i := range less {
			less[i] &^= more[i]
		}
		var match [simd.EditRows][]uint64
		for i := range match {
			match[i] = noise(blocks+7, r)
		}
		for _, l := range simd.Levels() {
			b.Run(fmt.Sprintf("%d/%v", blocks, l), func(b *testing.B) {
				for b.Loop() {
					l.AdvanceEdits(more, less, &match, blocks)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*blocks*simd.EditRows), "ns/word")
			})
		}
	}
}
