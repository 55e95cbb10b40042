package require

import (
	"testing"

	"github.com/assay-eval/assay/internal/pgserver"
)

// Postgres returns the folder of PostgreSQL's programs; see [pgserver.Programs]. A test without
// them is skipped.
func Postgres(t testing.TB) string {
	t.Helper()
	bare(t)
	dir, err := pgserver.Programs()
	if err != nil {
		missing(t, "needs PostgreSQL: %v", err)
	}
	return dir
}
