package store_test

import (
	"math/rand/v2"
	"path/filepath"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/store"
	"github.com/assay-eval/assay/store/storetest"
)

// What reading a whole run of 20,000 records costs.
func BenchmarkRecords(b *testing.B) {
	s, err := store.Open(b.Context(), filepath.Join(b.TempDir(), "assay.db"))
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	h := storetest.Header(1)
	if err := s.CreateRun(b.Context(), h); err != nil {
		b.Fatal(err)
	}
	const n = 20_000
	random := rand.New(rand.NewPCG(1, 2))
	recs := make([]assay.Record, n)
	for i := range recs {
		recs[i] = typical(i, random)
	}
	if err := s.Put(b.Context(), h.ID, recs...); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		got := 0
		for _, err := range s.Records(b.Context(), h.ID) {
			if err != nil {
				b.Fatal(err)
			}
			got++
		}
		if got != n {
			b.Fatalf("%d records", got)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*n), "µs/record")
}
