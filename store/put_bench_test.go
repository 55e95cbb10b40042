package store_test

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/store"
	"github.com/assay-eval/assay/store/storetest"
)

// What a record costs, alone and in a batch as the engine makes them. The server
// of the tests does not wait for its disk; SQLite does.
func BenchmarkPut(b *testing.B) {
	for name, ref := range map[string]func(*testing.B) string{
		"sqlite":   func(b *testing.B) string { return filepath.Join(b.TempDir(), "assay.db") },
		"postgres": func(b *testing.B) string { return server.Server(b).Database(b) },
	} {
		for _, batch := range []int{1, 64} {
			b.Run(fmt.Sprint(name, "/", batch), func(b *testing.B) {
				s, err := store.Open(b.Context(), ref(b))
				if err != nil {
					b.Fatal(err)
				}
				defer s.Close()
				h := storetest.Header(1)
				if err := s.CreateRun(b.Context(), h); err != nil {
					b.Fatal(err)
				}
				random := rand.New(rand.NewPCG(1, 2))
				recs := make([]assay.Record, batch)
				seq := 0
				for b.Loop() {
					for i := range recs {
						recs[i] = typical(seq, random)
						seq++
					}
					if err := s.Put(b.Context(), h.ID, recs...); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(seq), "µs/record")
			})
		}
	}
}
