package report_test

import (
	"fmt"
	"reflect"
	"slices"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/report"
	"github.com/assay-eval/assay/summary"
)

// A comparison of the primary metric alone says of it what that of all metrics says.
func TestCompareAlone(t *testing.T) {
	t.Parallel()
	var reports []*report.Report
	for run := range 3 {
		h := assay.Header{ID: fmt.Sprint(run), Name: fmt.Sprint("run ", run), State: "finished", Dataset: assay.DatasetInfo{Name: "d", Hash: "h", Cases: 40},
			Metrics: []assay.MetricInfo{{Name: "mrr", Better: "higher", Range: [2]float64{0, 1}}, {Name: "hit@1", Better: "higher", Range: [2]float64{0, 1}}}}
		reports = append(reports, report.New(h, slices.Collect(func(yield func(assay.Record) bool) {
			for i := range 40 {
				yield(assay.Record{Seq: i, Case: assay.Case{ID: fmt.Sprint(i), Question: "q", Tags: []string{fmt.Sprint("t", i%2)}}, Response: &assay.Response{Answer: "a"},
					Scores: map[string]assay.Score{"mrr": assay.Value(float64(i%7) / 7), "hit@1": assay.Value(float64(min(1, (i+run*7)%(run+2))))}})
			}
		})))
	}
	plan := summary.Plan{Level: 0.95, Primary: "hit@1"}
	all, err := report.CompareAs(reports, plan)
	if err != nil {
		t.Fatal(err)
	}
	plan.Alone = true
	one, err := report.CompareAs(reports, plan)
	if err != nil {
		t.Fatal(err)
	}
	if len(all.Rows) != 2 || len(all.Slices) == 0 || len(one.Rows) != 1 || len(one.Slices) != 0 {
		t.Errorf("%d and %d metrics, %d and %d tags", len(all.Rows), len(one.Rows), len(all.Slices), len(one.Slices))
	}
	if !reflect.DeepEqual(all.Standings, one.Standings) || !reflect.DeepEqual(all.Rows[1].Differences, one.Rows[0].Differences) {
		t.Errorf("%+v\n%+v", one.Rows[0], all.Rows[1])
	}
}
