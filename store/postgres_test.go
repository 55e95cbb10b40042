package store_test

import (
	"testing"

	"github.com/assay-eval/assay/store"
	"github.com/assay-eval/assay/store/postgrestest"
	"github.com/assay-eval/assay/store/storetest"
)

// server is PostgreSQL for all tests that do not stop it.
var server postgrestest.Shared

func TestPostgres(t *testing.T) {
	s := server.Server(t)
	storetest.Run(t, func(t *testing.T) storetest.Place {
		url := s.Database(t)
		return storetest.Place{
			Open:  func() (storetest.Store, error) { return store.Open(t.Context(), url) },
			Alter: func(t *testing.T, statements ...string) { postgrestest.Exec(t, url, statements...) },
		}
	})
}

func BenchmarkPagePostgres(b *testing.B) {
	benchmarkPage(b, server.Server(b).Database(b))
}
