package summary_test

import (
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/columns"
	"github.com/assay-eval/assay/summary"
)

// TestQuantities: cost is a mean; draws of a case are one observation, which widens the interval;
// what no response has is not known.
func TestQuantities(t *testing.T) {
	t.Parallel()
	table := func(cases, draws int) *columns.Table {
		var records []assay.Record
		for i := range cases {
			for d := range draws {
				c := assay.Case{ID: fmt.Sprint("q", i)}
				if draws > 1 {
					c = c.Repeated(d)
				}
				records = append(records, assay.Record{Seq: len(records), Case: c, Response: &assay.Response{
					Latency: time.Duration(i+1) * time.Second, Usage: assay.Usage{Cost: int64(10 * (i + 1))}}})
			}
		}
		return columns.Of(append(records, assay.Record{Seq: len(records), Case: assay.Case{ID: "failed"}, Failure: &assay.Failure{}}))
	}
	once, twice := table(11, 1), table(11, 2)
	cost, ok := summary.CostPerCase(once, 0.95)
	// Student's interval of 10, 20, … 110: 60 ± 2.228·33.17/√11.
	if !ok || cost.N != 11 || cost.Value != 60 || cost.CI == nil || math.Abs(cost.CI.Half()-22.28) > 0.1 {
		t.Errorf("cost %+v", cost)
	}
	if again, ok := summary.CostPerCase(twice, 0.95); !ok || again.N != 22 || math.Abs(again.CI.Half()-cost.CI.Half()) > 1e-9 {
		t.Errorf("cost of two draws %+v, want the interval %v", again, cost.CI)
	}
	part := []assay.Record{
		{Case: assay.Case{ID: "a"}, Response: &assay.Response{Usage: assay.Usage{InputTokens: 9, Cost: 500}}},
		{Seq: 1, Case: assay.Case{ID: "b"}, Response: &assay.Response{Usage: assay.Usage{InputTokens: 9}}},
	}
	if q, ok := summary.CostPerCase(columns.Of(part), 0.95); ok {
		t.Errorf("the cost of one of two responses: %+v", q)
	}
	none := columns.Of([]assay.Record{{Case: assay.Case{ID: "a"}, Response: &assay.Response{}}})
	if q, ok := summary.CostPerCase(none, 0.95); ok {
		t.Errorf("no cost: %+v", q)
	}
}
