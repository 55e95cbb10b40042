package requiretest

import (
	"os"
	"path/filepath"
	"testing"
)

// IndexCache returns the folder in which tests cache the indexes of large corpora:
// $CACHE/index, else the program's own cache.
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
