package assaytest_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/assay-eval/assay/gate"
	"github.com/assay-eval/assay/llm"
	"github.com/assay-eval/assay/report"
	"github.com/assay-eval/assay/store"
)

// saveBaseline does what assay baseline save does.
func saveBaseline(t *testing.T, r *report.Report, path string) {
	t.Helper()
	b, err := gate.NewBaseline(r.Run(), "first", time.Now())
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := b.Write(f); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}

// export does what assay store export does.
func export(t *testing.T, db string) string {
	t.Helper()
	s, err := store.Open(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	path := filepath.Join(t.TempDir(), "calls.jsonl")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := llm.WriteArchive(f, s.Calls(t.Context())); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}
