package cli_test

import (
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/assay-eval/assay/store"
)

// TestRunsAtOnceAskOnce: two runs at the same time on one store, as two commands are, ask no question
// twice, and the sums of what they paid are all that was paid.
func TestRunsAtOnceAskOnce(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	writeRecorded(t, dir, 10)
	if err := os.WriteFile(filepath.Join(dir, "slow.yaml"), []byte("simulate: true\nlatency: 20ms\nlog: slow.log\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	// The database exists before, so that neither waits for the other to make it.
	s, err := store.Open(t.Context(), filepath.Join(dir, "assay.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	var runs sync.WaitGroup
	for range 2 {
		runs.Go(func() {
			if _, err := judged(t.Context(), t, dir, "simulate: true\n", settings{"judge": "fake:slow.yaml"}); err != nil {
				t.Error(err)
			}
		})
	}
	runs.Wait()
	asked := map[string]int{}
	log := logOf(t, filepath.Join(dir, "slow.log"))
	for _, c := range log {
		if asked[c.Content]++; asked[c.Content] == 2 {
			t.Errorf("%s of content %.8s was asked twice", c.Operation, c.Content)
		}
	}
	hs, err := s.Runs(t.Context(), 0)
	if err != nil || len(hs) != 2 {
		t.Fatalf("%d runs, %v: want 2", len(hs), err)
	}
	calls := 0
	for _, h := range hs {
		paid, err := s.Spent(t.Context(), h.ID)
		if err != nil {
			t.Fatal(err)
		}
		calls += paid.Calls
	}
	if calls != replied(log) || calls == 0 {
		t.Errorf("the runs paid for %d calls, and %d were made", calls, replied(log))
	}
	if files, err := filepath.Glob(filepath.Join(dir, "*.lock")); err != nil || len(files) != 0 {
		t.Errorf("lock files stay behind: %q, %v", files, err)
	}
}
