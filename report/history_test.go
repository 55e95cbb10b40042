package report_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/assay-eval/assay/report"
)

func TestHistory(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "results", "results.jsonl")
	r := sample(t)
	if err := report.AppendHistory(path, r); err != nil {
		t.Fatal(err)
	}
	write(t, path, read(t, path)+`{"torn`)
	if err := report.AppendHistory(path, r); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(read(t, path), "\n")
	if len(lines) != 4 || lines[0] != lines[2] || lines[1] != `{"torn` || lines[3] != "" {
		t.Fatalf("got %q, want a line, the torn line, the line again", lines)
	}
	var l struct {
		Timestamp string
		Run       string
		TestCount int `json:"test_count"`
		Failures  int
		Composite *float64 `json:"composite_score"`
		Metrics   map[string]struct {
			Mean *float64
			CI   []float64
			N    int
		}
	}
	if err := json.Unmarshal([]byte(lines[0]), &l); err != nil {
		t.Fatal(err)
	}
	// Two of the twelve cases are errors. Hit@1 has five hits among eight.
	if l.Timestamp != "2026-11-21T13:36:43.123Z" || l.Run != r.Header.ID || l.TestCount != 12 || l.Failures != 2 || l.Composite != nil {
		t.Errorf("got %+v", l)
	}
	if h := l.Metrics["hit@1"]; h.Mean == nil || *h.Mean != 0.625 || h.N != 8 || len(h.CI) != 2 {
		t.Errorf("hit@1: got %+v, want 0.625 with n = 8 and an interval", h)
	}
}

// TestHistoryIsVisible: names that reorder text do not reach a file that is
// read with tools which show it as it is.
func TestHistoryIsVisible(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "results.jsonl")
	if err := report.AppendHistory(path, hostileName(t)); err != nil {
		t.Fatal(err)
	}
	got := read(t, path)
	if strings.ContainsAny(got, "\u202e\u202c\u0085\x1b") || strings.Contains(got, `\u001b`) {
		t.Errorf("a control character is left: %q", got)
	}
	if strings.Count(got, " gnp.exe") != 2 {
		t.Errorf("the names of run and dataset are not there: %q", got)
	}
}

// TestHistoryAtOnce: lines of runs that end together stay whole.
func TestHistoryAtOnce(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "results.jsonl")
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() {
			if err := report.AppendHistory(path, sample(t)); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	lines := strings.Split(strings.TrimSuffix(read(t, path), "\n"), "\n")
	if len(lines) != 20 {
		t.Fatalf("%d lines, want 20", len(lines))
	}
	for _, l := range lines {
		if !json.Valid([]byte(l)) {
			t.Errorf("a mixed line: %q", l)
		}
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
