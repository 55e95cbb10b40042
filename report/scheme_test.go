package report_test

import (
	"encoding/csv"
	"strings"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/report"
)

// Marks by two rubrics of the same name are as different as two metrics.
func TestCompareLeavesOutWhatAnotherRubricMarked(t *testing.T) {
	t.Parallel()
	run := func(name, scheme string) *report.Report {
		return report.New(header(name, hit, assay.MetricInfo{Name: "rubric", Title: "Rubric", Better: "higher", Range: ratio, Version: 1, Scheme: scheme}), nil)
	}
	if c := comparison(t, []*report.Report{run("x", "sha256:1"), run("y", "sha256:1")}); len(c.Rows) != 2 {
		t.Errorf("%d rows: want two, the rubric is the same", len(c.Rows))
	}
	c := comparison(t, []*report.Report{run("x", "sha256:1"), run("y", "sha256:2")})
	if len(c.Rows) != 1 || c.Rows[0].Name != hit.Name || !strings.Contains(strings.Join(c.Warnings, "\n"), "rubric is left out") {
		t.Errorf("%d rows, warnings %q: want marks by two rubrics left out", len(c.Rows), c.Warnings)
	}
}

// A table of numbers says which of them no judge stands behind.
func TestCSVMarksEstimates(t *testing.T) {
	t.Parallel()
	estimate := assay.MetricInfo{Name: "faithfulness", Title: "Faithfulness", Better: "higher", Range: ratio, Version: 1, Judged: true, Estimate: true}
	r := report.New(header("x", hit, estimate), []assay.Record{{
		Case: assay.Case{ID: "a", Question: "?"}, Response: &assay.Response{},
		Scores: map[string]assay.Score{hit.Name: assay.Value(1), "faithfulness": assay.Value(0.5)},
	}})
	rows, err := csv.NewReader(strings.NewReader(render(t, lookup(t, "csv"), r, report.Options{}))).ReadAll()
	if err != nil || len(rows) != 2 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	if got := strings.Join(rows[1][len(rows[1])-4:], " "); got != "1 scored 0.5 estimate" {
		t.Errorf("got %q: want the estimate told from the score", got)
	}
}
