package index_test

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/assay-eval/assay/internal/require"
	"github.com/assay-eval/assay/rag/index"
)

// zipf makes texts of 150 to 310 words, drawn from 50,000 by Zipf's law
// (s = 1.07), and queries of five words drawn in the same way: stop words come
// up in both.
func zipf(texts, queries int) (corpus, questions []string) {
	r := rand.New(rand.NewPCG(1, 2))
	z := rand.NewZipf(r, 1.07, 1, 50_000-1)
	words := func(n int) string {
		var b strings.Builder
		for range n {
			fmt.Fprintf(&b, "w%dq ", z.Uint64())
		}
		return b.String()
	}
	for range texts {
		corpus = append(corpus, words(150+r.IntN(160)))
	}
	for range queries {
		questions = append(questions, words(5))
	}
	return corpus, questions
}

func BenchmarkZipf(b *testing.B) {
	for _, n := range []int{3_633, 200_000} {
		texts, queries := zipf(n, 1000)
		var x *index.BM25
		b.Run(fmt.Sprintf("build=%d", n), func(b *testing.B) {
			for b.Loop() {
				x = build(b, texts)
			}
			b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds(), "texts/s")
		})
		if x == nil {
			x = build(b, texts)
		}
		b.Run(fmt.Sprintf("search=%d", n), func(b *testing.B) {
			i := 0
			for b.Loop() {
				x.Search(queries[i%len(queries)], 100)
				i++
			}
		})
		path := filepath.Join(b.TempDir(), "index")
		if err := x.WriteFile(path); err != nil {
			b.Fatal(err)
		}
		b.Run(fmt.Sprintf("open=%d", n), func(b *testing.B) {
			for b.Loop() {
				if _, err := index.OpenBM25(path); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(x.Stats().Bytes), "bytes")
		})
	}
}

func BenchmarkSciFact(b *testing.B) {
	d := readBEIR(b, require.Shared(b, "data/retrieval/scifact"), "test")
	x := build(b, d.texts)
	var queries []string
	for _, q := range d.queries {
		queries = append(queries, q)
	}
	slices.Sort(queries)
	b.Run("build", func(b *testing.B) {
		for b.Loop() {
			build(b, d.texts)
		}
	})
	b.Run("search", func(b *testing.B) {
		i := 0
		for b.Loop() {
			x.Search(queries[i%len(queries)], 100)
			i++
		}
	})
}

func BenchmarkDense(b *testing.B) {
	const dim, rows = 384, 200_000
	r := rand.New(rand.NewPCG(3, 4))
	data := make([]float32, dim*rows)
	for i := range data {
		data[i] = r.Float32() - 0.5
	}
	d, err := index.NewDense(dim, data)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := d.Search(data[:dim], 10); err != nil {
			b.Fatal(err)
		}
	}
}
