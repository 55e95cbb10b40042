package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/report"
)

// Earlier content of the step summary stays, the report begins on a new line, and the
// total does not exceed GitHub's limit.
func TestStepSummaryBehindWhatIsThere(t *testing.T) {
	t.Parallel()
	rep := report.New(assay.Header{ID: "r", Dataset: assay.DatasetInfo{Name: "gold"}}, nil)
	for _, test := range []struct {
		before, warned string
		written        bool
	}{
		{"", "", true},
		{"before", "", true},
		{strings.Repeat("x", report.SummaryLimit-200), "", true},
		{strings.Repeat("x", report.SummaryLimit-1), "the step summary is full", false},
	} {
		file := filepath.Join(t.TempDir(), "summary.md")
		if err := os.WriteFile(file, []byte(test.before), 0o644); err != nil {
			t.Fatal(err)
		}
		var warned bytes.Buffer
		env := &Env{Stderr: &warned, Getenv: func(name string) string { return map[string]string{"GITHUB_STEP_SUMMARY": file}[name] }}
		if err := (&ciOutput{env: env}).stepSummary(rep, report.Options{}, "", nil); err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		rest, kept := strings.CutPrefix(string(data), test.before)
		if !kept || len(data) > report.SummaryLimit || (rest != "") != test.written {
			t.Errorf("behind %d bytes: kept %v, %d bytes, of which %d are new", len(test.before), kept, len(data), len(rest))
		}
		if own := strings.HasPrefix(rest, "\n"); test.written && own != (test.before != "") {
			t.Errorf("behind %d bytes: begins %.20q", len(test.before), rest)
		}
		if got := warned.String(); !strings.Contains(got, test.warned) || (got == "") != (test.warned == "") {
			t.Errorf("behind %d bytes: warned %q, want %q", len(test.before), got, test.warned)
		}
	}
}
