package cli

import (
	"bytes"
	"io"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	"github.com/assay-eval/assay/store"
	"github.com/assay-eval/assay/store/storetest"
)

// TestUnfinishedRun has a run that was interrupted, a newer one that a process works on,
// and a newer one that is finished: the first is resumed.
func TestUnfinishedRun(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "assay.db")
	s, err := store.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	var ids []string
	for i, state := range []string{"interrupted", "running", "finished"} {
		h := storetest.Header(i + 1)
		h.State, h.Started = state, time.Now().Add(time.Duration(i)*time.Second)
		if err := s.CreateRun(t.Context(), h); err != nil {
			t.Fatal(err)
		}
		ids = append(ids, h.ID)
	}
	unlock, err := s.Lock(t.Context(), ids[1])
	if err != nil {
		t.Fatal(err)
	}
	var listed bytes.Buffer
	env := &Env{Stdout: &listed, Stderr: io.Discard, Getenv: func(string) string { return "" }, Now: time.Now}
	list := func() string {
		listed.Reset()
		cmd := newRuns(env)
		cmd.SetArgs([]string{"--store", path})
		if err := cmd.ExecuteContext(t.Context()); err != nil {
			t.Error(err)
		}
		return regexp.MustCompile(`(?m)^` + ids[1] + ` +(\w+)`).FindStringSubmatch(listed.String())[1]
	}
	if got := list(); got != "running" {
		t.Errorf("the run of a process is %q", got)
	}
	for _, want := range []string{ids[0], ids[1]} {
		h, err := unfinishedRun(t.Context(), s, store.Latest, env)
		if err != nil || h.ID != want {
			t.Errorf("%q, %v: want %q", h.ID, err, want)
		}
		// Once its process is gone, the newer one goes first.
		if want == ids[0] {
			if err := unlock(); err != nil {
				t.Fatal(err)
			}
			if got := list(); got != "interrupted" {
				t.Errorf("the run of a killed process is %q", got)
			}
		}
	}
}
