package requiretest

import (
	"testing"

	"github.com/assay-eval/assay/internal/servertest"
)

// Postgres returns the folder of PostgreSQL's programs; see [servertest.Programs]. A test without
// them is skipped.
func Postgres(t testing.TB) string {
	t.Helper()
	bare(t)
	dir, err := servertest.Programs()
	if err != nil {
		missing(t, "needs PostgreSQL: %v", err)
	}
	return dir
}
