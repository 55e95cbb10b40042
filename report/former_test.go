package report_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-eval/assay/report"
)

// A report that was written under the former name of a metric is read under its present
// one, wherever the name stands.
func TestReadFormerNames(t *testing.T) {
	t.Parallel()
	text := render(t, lookup(t, "json"), gated(t), report.Options{})
	read := func(name string) *report.Report {
		t.Helper()
		r, err := report.Read(strings.NewReader(strings.ReplaceAll(text, `"faithfulness"`, `"`+name+`"`)))
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	if diff := cmp.Diff(read("graded_mrr").Summary, read("umbrela_mrr").Summary); diff != "" {
		t.Errorf("summary (-present +former)\n%s", diff)
	}
	for _, f := range []string{"markdown", "csv", "json"} {
		if now, old := render(t, lookup(t, f), read("graded_mrr"), report.Options{}), render(t, lookup(t, f), read("umbrela_mrr"),
			report.Options{}); now != old || !strings.Contains(now, "graded_mrr") {
			t.Errorf("%s (-present +former)\n%s", f, cmp.Diff(now, old))
		}
	}
}
