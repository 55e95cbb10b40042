package gate_test

import (
	"math"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/gate"
)

// TestScaledBounds: a rule on precision@5 whose limit is a fifth of that of a rule on hits
// decides the same from a fifth of the bounds, where each case has one relevant document.
func TestScaledBounds(t *testing.T) {
	t.Parallel()
	hit, share := ratio("hit@5"), ratio("precision@5")
	metrics := []assay.MetricInfo{hit, share}
	run := func(n, lost int) recorded {
		rows := make([][]any, n)
		for i := range rows {
			v := 1.0
			if i < lost {
				v = 0
			}
			rows[i] = []any{v, v / 5}
		}
		r := several(metrics, rows...)
		for i := range r.Records {
			r.Records[i].Case.Want = assay.Want{Documents: map[string]int{"d": 1}}
		}
		return r
	}
	for _, n := range []int{5, 12, 30, 100} {
		for lost := range 5 {
			for _, limit := range []float64{-0.1, -0.02, 0} {
				at := gate.Rule{Quantity: "hit@5", Op: ">=", Bound: "lower", Versus: true, Limit: limit}
				fifth := at
				fifth.Quantity, fifth.Limit = "precision@5", limit/5
				p := gate.Policy{Baseline: baseline(t, run(n, 0)), Rules: []gate.Rule{at, fifth}}
				o, _ := p.Judge(run(n, lost).run())
				a, b := o.Results[0], o.Results[1]
				if a.Verdict != b.Verdict || a.Bound == nil || math.Abs(*a.Bound/5-*b.Bound) > 1e-6 {
					t.Errorf("%d of %d lost, limit %v: hits %v from %v, shares %v from %v", lost, n, limit, a.Verdict, *a.Bound, b.Verdict, *b.Bound)
				}
			}
		}
	}
}
