package index_test

import (
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"github.com/assay-eval/assay/rag/index"
)

func TestAdd(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		lo := rapid.SampledFrom([]uint32{0, index.Window, 5 * index.Window}).Draw(t, "lo")
		lengths := make([]byte, lo+index.Window)
		for i := range lengths {
			lengths[i] = byte(r.Uint32())
		}
		var table [256 * index.TableTF]uint64
		for i := range table {
			table[i] = r.Uint64N(1 << 60)
		}
		var passages, counts []uint32
		every := rapid.SampledFrom([]int{1, 2, 3, 40, 1000, 10_000}).Draw(t, "every")
		for p := range uint32(index.Window) {
			if r.IntN(every) == 0 {
				passages, counts = append(passages, lo+p), append(counts, r.Uint32N(index.TableTF))
			}
		}
		var want, got [index.Window]uint64
		for range 2 {
			index.AddPlain(&want, lo, passages, counts, lengths, &table)
			index.Add(&got, lo, passages, counts, lengths, &table)
		}
		if got != want {
			t.Fatalf("%d passages from %d on: other sums", len(passages), lo)
		}
	})
}

func BenchmarkAdd(b *testing.B) {
	const n = 128 // a block of postings
	r := rand.New(rand.NewPCG(9, 10))
	var sums [index.Window]uint64
	var table [256 * index.TableTF]uint64
	lengths := make([]byte, index.Window)
	var passages, counts []uint32
	for i := range uint32(n) {
		passages, counts = append(passages, 3*i), append(counts, r.Uint32N(index.TableTF))
	}
	b.Run("generic", func(b *testing.B) {
		for b.Loop() {
			index.AddPlain(&sums, 0, passages, counts, lengths, &table)
		}
	})
	b.Run("kernel", func(b *testing.B) {
		for b.Loop() {
			index.Add(&sums, 0, passages, counts, lengths, &table)
		}
	})
}
