// Package requiretest finds what a test needs from outside the repository: datasets,
// programs, files that a script downloaded. If something is missing the test is skipped
// with the reason; under ASSAY_REQUIRE=all, as in CI, it fails instead, so that no
// skipped test looks green. Under ASSAY_REQUIRE=none nothing from outside is used, as on a
// machine that has only Go.
package requiretest

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// Shared returns the absolute path of a file or folder of the shared data, such as
// "data/retrieval/scifact". The data are in the folder ASSAY_SHARED, or else in
// "shared" beside the repository.
func Shared(t testing.TB, rel string) string {
	t.Helper()
	root := os.Getenv("ASSAY_SHARED")
	if root == "" {
		root = filepath.Join(Root(), "..", "shared")
	}
	bare(t)
	path := filepath.Join(root, filepath.FromSlash(rel))
	if _, err := os.Stat(path); err != nil {
		missing(t, "needs the shared data %q: set ASSAY_SHARED to the folder that holds them", rel)
	}
	return path
}

// Env returns a path from an environment variable, such as that of a reference tool's
// output.
func Env(t testing.TB, name string) string {
	t.Helper()
	bare(t)
	path := os.Getenv(name)
	if path == "" {
		missing(t, "needs the environment variable %s", name)
	}
	if _, err := os.Stat(path); err != nil {
		missing(t, "%s: no such path: %v", name, err)
	}
	return path
}

// Command returns the path of a program.
func Command(t testing.TB, name string) string {
	t.Helper()
	bare(t)
	path, err := exec.LookPath(name)
	if err != nil {
		missing(t, "needs the program %s: %v", name, err)
	}
	return path
}

// Superuser skips a test that only root can run.
func Superuser(t testing.TB) {
	t.Helper()
	bare(t)
	if os.Getuid() != 0 {
		missing(t, "needs to run as root")
	}
}

// Minutes skips a test that takes minutes, and whose parts have tests of their own, unless
// ASSAY_REQUIRE is all, as in CI.
func Minutes(t testing.TB) {
	t.Helper()
	if os.Getenv("ASSAY_REQUIRE") != "all" {
		t.Skip("takes minutes: ASSAY_REQUIRE=all runs it")
	}
}

// Root returns the absolute path of the repository: the closest folder above the working
// folder at the start that holds the LICENSE. A path from the compiler would be wrong in
// programs built with -trimpath.
func Root() string { return root }

var root = func() string {
	dir, err := os.Getwd()
	for err == nil {
		if _, err := os.Stat(filepath.Join(dir, "LICENSE")); err == nil || dir == filepath.Dir(dir) {
			break
		}
		dir = filepath.Dir(dir)
	}
	return dir
}()

// bare skips a test that needs something from outside if nothing from outside is used.
func bare(t testing.TB) {
	t.Helper()
	if os.Getenv("ASSAY_REQUIRE") == "none" {
		t.Skip("needs more than Go, and ASSAY_REQUIRE is none")
	}
}

func missing(t testing.TB, format string, args ...any) {
	t.Helper()
	if os.Getenv("ASSAY_REQUIRE") == "all" {
		t.Fatalf(format, args...)
	}
	t.Skipf(format, args...)
}
