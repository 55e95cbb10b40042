package require

import (
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
)

// Postgres returns the folder of PostgreSQL's programs; see [PostgresPrograms]. A test without
// them is skipped.
func Postgres(t testing.TB) string {
	t.Helper()
	bare(t)
	dir, err := PostgresPrograms()
	if err != nil {
		missing(t, "needs PostgreSQL: %v", err)
	}
	return dir
}

// PostgresPrograms returns the folder of PostgreSQL's programs: Debian's folder of the newest
// version, else the one on PATH.
func PostgresPrograms() (string, error) {
	found, err := filepath.Glob("/usr/lib/postgresql/*/bin/initdb")
	if err != nil {
		return "", err
	}
	if len(found) > 0 {
		// all versions have two digits
		slices.Sort(found)
		return filepath.Dir(found[len(found)-1]), nil
	}
	path, err := exec.LookPath("initdb")
	if err != nil {
		return "", err
	}
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	return filepath.Dir(path), nil
}
