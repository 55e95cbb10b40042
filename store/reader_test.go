package store

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"
)

// TestReader: queries are prepared once and up to a limit, and those beyond it are answered,
// too, as is a query after one whose request was cancelled.
func TestReader(t *testing.T) {
	t.Parallel()
	s, err := Open(t.Context(), filepath.Join(t.TempDir(), "assay.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.read.QueryRowContext(cancelled, `SELECT 0 WHERE 1 = $1`, 1).Scan(new(int)); err == nil {
		t.Error("a cancelled query was answered")
	}
	for i := range 2 * maxPrepared {
		for _, want := range []int{i, i + 1} {
			var got int
			if err := s.read.QueryRowContext(t.Context(), fmt.Sprintf(`SELECT %d + $1`, i), want-i).Scan(&got); err != nil || got != want {
				t.Fatalf("query %d: %d, %v: want %d", i, got, err, want)
			}
		}
	}
	if n := len(s.read.prepared); n != maxPrepared {
		t.Errorf("%d queries are prepared, want %d", n, maxPrepared)
	}
}
