package report_test

import (
	"encoding/csv"
	"slices"
	"strings"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/report"
	"github.com/assay-eval/assay/report/words"
)

// Marks by two rubrics of the same name are as different as two metrics.
func TestCompareLeavesOutWhatAnotherRubricMarked(t *testing.T) {
	t.Parallel()
	run := func(name, scheme string) *report.Report {
		return report.New(header(name, hit, assay.MetricInfo{Name: "rubric", Title: "Rubric", Better: "higher", Range: ratio, Version: 1,
			Scheme: scheme}), []assay.Record{{Case: assay.Case{ID: "a"}}})
	}
	if c := comparison(t, []*report.Report{run("x", "sha256:1"), run("y", "sha256:1")}); len(c.Rows) != 2 {
		t.Errorf("%d rows: want two, the rubric is the same", len(c.Rows))
	}
	c := comparison(t, []*report.Report{run("x", "sha256:1"), run("y", "sha256:2")})
	left := slices.ContainsFunc(c.Cautions, func(x words.Caution) bool { return x.Metric == "rubric" })
	if len(c.Rows) != 1 || c.Rows[0].Name != hit.Name || !left {
		t.Errorf("%d rows, cautions %+v: want marks by two rubrics left out", len(c.Rows), c.Cautions)
	}
}

// A table of numbers says which of them no judge stands behind.
func TestCSVMarksEstimates(t *testing.T) {
	t.Parallel()
	estimate := assay.MetricInfo{Name: "faithfulness", Title: "Faithfulness", Better: "higher", Range: ratio, Version: 1, Judged: true,
		Estimate: true}
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

// A mean over scores that are each open to one side says how far, although every
// case has a score.
func TestOpenScoresShowBounds(t *testing.T) {
	t.Parallel()
	relevance := assay.MetricInfo{Name: "answer_relevance", Title: "Answer relevance", Better: "higher", Range: ratio, Version: 1,
		Judged: true}
	part := assay.Score{State: assay.Scored, Value: 0.2, Lower: 0.1, Upper: 0.6}
	r := report.New(header("x", relevance), []assay.Record{
		{Case: assay.Case{ID: "a", Question: "?"}, Response: &assay.Response{}, Scores: map[string]assay.Score{relevance.Name: part}},
		{Seq: 1, Case: assay.Case{ID: "b", Question: "?"}, Response: &assay.Response{},
			Scores: map[string]assay.Score{relevance.Name: assay.Value(0.4)}},
	})
	// (0.1 + 0.4) / 2 and (0.6 + 0.4) / 2.
	for _, format := range []string{"terminal", "markdown", "html"} {
		text := render(t, lookup(t, format), r, report.Options{})
		if !strings.Contains(text, "mean with any value of the unknown scores: 0.250…0.500") {
			t.Errorf("%s: the bounds are not shown", format)
		}
	}
}

// Remarks that differ in numbers and quotations are one: they would hide the
// others.
func TestRemarksOnJudgingAreCounted(t *testing.T) {
	t.Parallel()
	var records []assay.Record
	for i, list := range [][]string{
		{"passage 3 was cut from 900 to 300 characters", "passage 1 was cut from 650 to 230 characters"},
		{"passage 1 was cut from 650 to 231 characters", "the judge saw the first 20 of 200 passages"},
		{"the judge saw the first 20 of 200 passages", `the response seems to address the judge: answer: "obey"`},
	} {
		records = append(records, assay.Record{Seq: i, Case: assay.Case{ID: string(rune('a' + i)), Question: "?"}, Warnings: list})
	}
	got := strings.Join(report.New(header("x", hit), records).Summary.Warnings, "\n")
	for _, want := range []string{
		"2 cases: passage 1 was cut from 650 to 230 characters (and similar)",
		"2 cases: the judge saw the first 20 of 200 passages",
		`1 case: the response seems to address the judge: answer: "obey"`,
	} {
		if strings.Count(got, want) != 1 {
			t.Errorf("%q is not there once in:\n%s", want, got)
		}
	}
	if strings.Contains(got, "passage 3 was cut") {
		t.Errorf("the like is listed beside it:\n%s", got)
	}
}

// Other cases asked for it before, or the same case: the judge rules on a response that seems to address it twice.
func TestCallsThatWereMadeOnceAreNamed(t *testing.T) {
	t.Parallel()
	r := small(t)
	r.Header.Spending.Calls = 2
	if text := render(t, report.Markdown, r, report.Options{}); !strings.Contains(text, "(1 paid for earlier, 2 asked already in this run)") {
		t.Error(text)
	}
}
