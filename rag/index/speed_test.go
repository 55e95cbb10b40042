package index_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"github.com/assay-eval/assay/internal/requiretest"
	"github.com/assay-eval/assay/rag/index"
	"github.com/assay-eval/assay/rag/index/indextest"
)

func BenchmarkZipf(b *testing.B) {
	for _, n := range []int{3_633, 200_000} {
		texts, queries := indextest.Zipf(n, 1000)
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
	d := readBEIR(b, requiretest.Shared(b, "data/retrieval/scifact"), "test")
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
	d := randomDense(b, 384, 200_000)
	for b.Loop() {
		if _, err := d.Search(d.Vector(0), 10); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkDenseBatch(b *testing.B) {
	d := randomDense(b, 384, 200_000)
	for _, n := range []int{2, 5} {
		var queries [][]float32
		for i := range n {
			queries = append(queries, d.Vector(1000*i))
		}
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				if _, err := d.SearchBatch(queries, 10); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed())/1e6/float64(b.N*n), "ms/query")
		})
	}
}
