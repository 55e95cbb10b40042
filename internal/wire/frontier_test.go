package wire

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/report"
	"github.com/assay-eval/assay/summary"
)

// TestFrontierAgreesWithComparison: what beats another on the frontier dominates it in the
// comparison of the two runs, also where most cases change and the means alone look further apart.
func TestFrontierAgreesWithComparison(t *testing.T) {
	t.Parallel()
	m := assay.MetricInfo{Name: "hit@1", Title: "Hit@1", Better: "higher", Range: [2]float64{0, 1}, Version: 1}
	beaten, not := 0, 0
	for seed := range uint64(150) {
		rng := rand.New(rand.NewPCG(seed, 3))
		n := 20 + rng.IntN(40)
		up := rng.IntN(n + 1)
		down := rng.IntN(n - up + 1)
		if seed%2 == 0 { // every case changes
			up = n/2 + int((0.5+rng.Float64())*math.Sqrt(float64(n)))
			down = n - up
		}
		costs := [2]int64{100, []int64{60, 100, 140}[rng.IntN(3)]}
		var reports []*report.Report
		var headers []assay.Header
		var means []Means
		for r := range 2 {
			h := assay.Header{ID: string(rune('a' + r)), Name: string(rune('a' + r)), Metrics: []assay.MetricInfo{m},
				Dataset: assay.DatasetInfo{Name: "d", Hash: "h", Cases: n}, Started: time.Unix(int64(r), 0)}
			var records []assay.Record
			for i := range n {
				hit := i%2 == 0
				if i < up+down {
					hit = (i < up) == (r == 1)
				}
				v := 0.0
				if hit {
					v = 1
				}
				records = append(records, assay.Record{Seq: i, Case: assay.Case{ID: fmt.Sprint(i)},
					Response: &assay.Response{Usage: assay.Usage{Cost: costs[r] + int64(i%3)}}, Scores: map[string]assay.Score{m.Name: assay.Value(v)}})
			}
			rep := report.New(h, records)
			reports, headers, means = append(reports, rep), append(headers, h), append(means, MeansOf(rep))
		}
		c, err := report.CompareAs(reports, summary.Plan{Level: 0.95, Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range FrontierOf(m.Name, AxisCost, headers, means).Spots {
			standing := c.Standings[0]
			if s.Run == "b" {
				standing = c.Standings[1]
			}
			switch {
			case len(s.Behind) == 0:
				not++
			case standing.Dominated != s.Behind[0].Run:
				t.Errorf("seed %d: %d cases, %d up, %d down, costs %v: %s is beaten by %+v on the frontier, and dominated by %q in the comparison",
					seed, n, up, down, costs, s.Run, s.Behind, standing.Dominated)
			default:
				beaten++
			}
		}
	}
	if beaten < 20 || not < 20 {
		t.Errorf("%d beaten, %d not", beaten, not)
	}
}
