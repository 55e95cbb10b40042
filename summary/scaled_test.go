package summary_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/stats"
	"github.com/assay-eval/assay/summary"
)

// TestScaledMetrics: of a metric that is a fifth of another in every case, also in what is
// possible, everything is a fifth, and its tests are the same, wherever it is listed.
func TestScaledMetrics(t *testing.T) {
	t.Parallel()
	hit := assay.MetricInfo{Name: "hit@5", Better: "higher", Range: [2]float64{0, 1}}
	share := assay.MetricInfo{Name: "precision@5", Better: "higher", Range: [2]float64{0, 1}}
	wide := assay.MetricInfo{Name: "points", Better: "higher", Range: [2]float64{0, 100}}
	for seed := range uint64(40) {
		rng := rand.New(rand.NewPCG(seed, 1))
		// Beyond 20 cases that differ the patterns are drawn.
		n, lost, steps := 8+rng.IntN(18), 0.1+0.6*rng.Float64(), float64(1+rng.IntN(2)*3)
		var runs []recorded
		for r := range 2 + rng.IntN(2) {
			run := recorded{Name: fmt.Sprint(r)}
			for i := range n {
				c := assay.Case{ID: fmt.Sprint(i), Want: assay.Want{Documents: map[string]int{"d": 1}}}
				v := 1.0
				if r > 0 && rng.Float64() < lost {
					v = math.Floor(rng.Float64()*steps) / steps
				}
				run.Records = append(run.Records, rated(i, c, map[string]float64{"hit@5": v, "precision@5": v / 5, "points": 100 * v}))
			}
			runs = append(runs, run)
		}
		for _, metrics := range [][]assay.MetricInfo{{hit, share, wide}, {share, wide, hit}} {
			rows := map[string][]stats.Comparison{}
			for _, r := range compare(metrics, runs, summary.Plan{Level: 0.95, Seed: 1}).Rows {
				rows[r.Name] = r.Differences
			}
			for i, d := range rows["hit@5"] {
				for name, by := range map[string]float64{"precision@5": 0.2, "points": 100} {
					x := rows[name][i]
					for what, v := range map[string][2]float64{
						"p": {d.P, x.P}, "corrected p": {d.PAdjusted, x.PAdjusted}, "difference": {by * d.Diff, x.Diff},
						"interval": {by * width(d.CI), width(x.CI)}, "lower end": {by * low(d.CI), low(x.CI)},
						"t": {by * width(d.TCI), width(x.TCI)}, "detectable": {min(by*mde(d), by), min(mde(x), by)},
					} {
						if math.Abs(v[0]-v[1]) > 1e-6*by {
							t.Errorf("seed %d, %d cases, %s of %s in run %d: %v, want %v", seed, n, what, name, i+1, v[1], v[0])
						}
					}
				}
			}
		}
	}
}

func low(ci *stats.Interval) float64 {
	if ci == nil {
		return -1
	}
	return ci.Lo
}

func width(ci *stats.Interval) float64 {
	if ci == nil {
		return 0
	}
	return ci.Hi - ci.Lo
}

func mde(d stats.Comparison) float64 {
	if d.MDE == nil {
		return -1
	}
	return *d.MDE
}
