package require

import (
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
)

// Postgres returns the folder of PostgreSQL's programs: Debian's folder of the newest
// version, else the one on PATH.
func Postgres(t testing.TB) string {
	t.Helper()
	bare(t)
	found, err := filepath.Glob("/usr/lib/postgresql/*/bin/initdb")
	if err != nil {
		t.Fatal(err)
	}
	if len(found) > 0 {
		// all versions have two digits
		slices.Sort(found)
		return filepath.Dir(found[len(found)-1])
	}
	path, err := exec.LookPath("initdb")
	if err != nil {
		missing(t, "needs PostgreSQL: %v", err)
	}
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	return filepath.Dir(path)
}
