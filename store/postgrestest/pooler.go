package postgrestest

import (
	"testing"

	"github.com/assay-eval/assay/internal/requiretest"
)

// Pooler starts PgBouncer before the server, with a pool mode: session, transaction or
// statement. It returns the address of a database through it. Without PgBouncer on the machine
// the test is skipped, or fails under ASSAY_REQUIRE=all.
func (s *Server) Pooler(t testing.TB, mode string) (database func(name string) string) {
	t.Helper()
	database, end, err := s.Server.Pooler(requiretest.Command(t, "pgbouncer"), mode)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := end(); err != nil {
			t.Error(err)
		}
	})
	return database
}
