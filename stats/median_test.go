package stats_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/assay-eval/assay/stats"
)

// The ranks are those of tables of the sign test: 1 of 6, 2 of 10, 6 of 20, 40 of 100.
func TestMedianInterval(t *testing.T) {
	t.Parallel()
	for n, k := range map[int]int{0: 0, 1: 0, 5: 0, 6: 1, 10: 2, 20: 6, 100: 40} {
		sorted := make([]float64, n)
		for i := range sorted {
			sorted[i] = float64(i + 1)
		}
		got := stats.MedianInterval(sorted, 0.95)
		if k == 0 && got != nil || k > 0 && (got == nil || got.Lo != float64(k) || got.Hi != float64(n+1-k)) {
			t.Errorf("%d values: %v, want the value of rank %d", n, got, k)
		}
	}
}

// The example of Newcombe's method 10: 56/70 and 48/80 differ by 0.2, 0.0524 to 0.3339.
func TestApart(t *testing.T) {
	t.Parallel()
	old, now := stats.Wilson(48, 80, 0.95), stats.Wilson(56, 70, 0.95)
	got := stats.Apart(48./80, 56./70, old, now)
	if math.Abs(got.Lo-0.0524) > 5e-5 || math.Abs(got.Hi-0.3339) > 5e-5 {
		t.Errorf("%v", got)
	}
	if w := stats.Widening(0.95, 0.95, 1); math.Abs(w-1) > 1e-12 {
		t.Errorf("one interval is widened %g times", w)
	}
	if w := stats.Widening(0.95, 0.95, 10); math.Abs(w-2.80703/1.95996) > 1e-4 {
		t.Errorf("ten intervals are widened %g times", w)
	}
	// Ten differences of equal means together exclude 0 in at most 5 % of tries.
	rng := rand.New(rand.NewPCG(23, 1))
	wrong := 0
	for range 500 {
		var e []stats.Estimate
		for range 5 {
			var s []stats.Sample
			for range 40 {
				s = append(s, stats.Sample{Value: rng.NormFloat64()})
			}
			e = append(e, stats.Mean(s, 0.95))
		}
		if slices.ContainsFunc(e, func(a stats.Estimate) bool {
			return slices.ContainsFunc(e, func(b stats.Estimate) bool {
				w := stats.Widening(0.95, 0.95, 10)
				return !stats.Apart(a.Mean, b.Mean, a.CI.Around(a.Mean, w), b.CI.Around(b.Mean, w)).Contains(0)
			})
		}) {
			wrong++
		}
	}
	if wrong > 40 {
		t.Errorf("%d of 500 groups of five equal means have a difference", wrong)
	}
}
