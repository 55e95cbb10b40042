package stats_test

import (
	"math/rand/v2"
	"testing"

	"github.com/assay-eval/assay/internal/requiretest"
	"github.com/assay-eval/assay/stats"
)

// TestCorrectedMeansNearOne: people pass a share of the answers; a judge passes 95 % of these
// and 40 % of the others. The interval of the corrected mean holds that share, and leaves room
// for what few labels do not show.
func TestCorrectedMeansNearOne(t *testing.T) {
	requiretest.Apart(t)
	t.Parallel()
	const trials, items = 300, 600
	possible := stats.Interval{Lo: 0, Hi: 1}
	for k, pass := range []float64{0.5, 0.8, 0.95, 0.98, 0.99} {
		for _, n := range []int{30, 60, 300} {
			var correct, alone int
			for i := range trials {
				rng := rand.New(rand.NewPCG(uint64(100*k+n), uint64(i)))
				var all []stats.Judged
				for j := range items {
					human, judge := 0.0, 0.0
					if rng.Float64() < pass {
						human = 1
					}
					if rng.Float64() < 0.4+0.55*human {
						judge = 1
					}
					it := stats.Judged{Judge: judge}
					if j < n {
						it.Human = &human
					}
					all = append(all, it)
				}
				c, err := stats.Correct(all, stats.CorrectOptions{Range: &possible})
				if err == nil && c.CI.Contains(pass) && c.CI.Half() > 0 {
					correct++
				}
				if err == nil && c.HumanCI.Contains(pass) {
					alone++
				}
			}
			for what, held := range map[string]int{"Correct": correct, "labels alone": alone} {
				if share := float64(held) / trials; share < 0.92 {
					t.Errorf("%s, %d labels, %v pass: %.3f of the intervals hold it", what, n, pass, share)
				}
			}
		}
	}
}
