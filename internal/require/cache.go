package require

import (
	"os"
	"path/filepath"
	"testing"
)

// IndexCache is the folder in which tests that index large corpora keep what they
// made: $CACHE/index, else where the program keeps its own.
func IndexCache(t testing.TB) string {
	t.Helper()
	if cache := os.Getenv("CACHE"); cache != "" {
		return filepath.Join(cache, "index")
	}
	base, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Join(base, "assay")
}
