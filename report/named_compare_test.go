package report_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/report"
	"github.com/assay-eval/assay/report/words"
)

// A run that retrieves no expected document in any case is named, where its metrics of documents have no value.
func TestCompareNamesARunWithoutExpectedDocuments(t *testing.T) {
	t.Parallel()
	run := func(name, document string) *report.Report {
		h := assay.Header{ID: name, Name: name, State: "finished", Dataset: assay.DatasetInfo{Name: "d", Hash: "h", Cases: 8},
			Metrics: []assay.MetricInfo{{Name: "hit@1", Better: "higher", Range: [2]float64{0, 1}, Documents: assay.ByDocuments}}}
		return report.New(h, slices.Collect(func(yield func(assay.Record) bool) {
			for i := range 8 {
				value := 0.0
				if document == "d" {
					value = 1
				}
				id := string(rune('a' + i))
				yield(assay.Record{Seq: i, Case: assay.Case{ID: id, Question: id, Want: assay.Want{Documents: map[string]int{"d": 1}}},
					Response: &assay.Response{Passages: []assay.Passage{{Document: document, Text: "t"}}},
					Scores:   map[string]assay.Score{"hit@1": assay.Value(value)}})
			}
		}))
	}
	c, err := report.Compare([]*report.Report{run("old", "d"), run("new", "x.md")}, 1)
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(c.Warnings(words.English), "\n"); !strings.Contains(got, "new retrieves no document that any case expects") {
		t.Errorf("warnings %q", got)
	}
}
