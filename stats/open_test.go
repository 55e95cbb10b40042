package stats_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/assay-eval/assay/stats"
)

// openPairs are pairs without a largest difference, of which the first are worse (lower) by the losses.
func openPairs(n int, losses ...float64) []stats.Pair {
	out := make([]stats.Pair, n)
	for i := range out {
		out[i].Width = math.Inf(1)
		if i < len(losses) {
			out[i].New = -losses[i]
		}
	}
	return out
}

// TestFewOpenDifferencesHaveNoInterval: of 80 utterances k differ.
func TestFewOpenDifferencesHaveNoInterval(t *testing.T) {
	for _, loss := range []float64{0.1, -0.1, 2, 1} {
		for _, k := range []int{0, 1, 6, 29, 30} {
			losses := make([]float64, k)
			for i := range losses {
				losses[i] = loss
			}
			pairs := openPairs(80, losses...)
			for _, c := range []stats.Comparison{stats.CompareAll([][]stats.Pair{pairs}, 0.95, 1)[0], stats.CompareTogether(stats.SignFlip, [][]stats.Pair{pairs}, 0.95, 1)[0]} {
				if (c.CI != nil) != (k == 30) || k > 5 && c.P > 0.05 {
					t.Errorf("%d differ by %v: %v, p %v", k, loss, c.CI, c.P)
				}
			}
			r, ok := stats.NonInferior(pairs, math.Inf(1), math.Abs(loss)/20, 0.05, 1)
			if ok != (k > 0) || k < 30 && (r.Shown || r.Worse) || ok && k < 30 && (!r.TooFew || r.Needed != (2400+k-1)/k) {
				t.Errorf("%d differ by %v: %+v", k, loss, r)
			}
		}
	}
}

// TestOpenLossesKeepTheError: rare losses of 1/2, 1, 3/2 … words, whose mean is exactly the margin.
func TestOpenLossesKeepTheError(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	const n, samples = 300, 400
	for _, mean := range []float64{20, 30, 40, 65} {
		shown, missed := 0, 0
		for range samples {
			var losses []float64
			for range n {
				if rng.Float64() < mean/n {
					loss := 0.5
					for rng.IntN(2) == 0 {
						loss += 0.5
					}
					losses = append(losses, loss)
				}
			}
			pairs := openPairs(n, losses...)
			if r, ok := stats.NonInferior(pairs, math.Inf(1), mean/n, 0.05, 1); ok && r.Shown {
				shown++
			}
			if c := stats.CompareAll([][]stats.Pair{pairs}, 0.95, 1)[0]; c.CI != nil && (c.CI.Lo > -mean/n || c.CI.Hi < -mean/n) {
				missed++
			}
		}
		t.Logf("%v differ: no worse %v, interval misses %v", mean, float64(shown)/samples, float64(missed)/samples)
		if most := 0.05*samples + 2*math.Sqrt(0.05*samples); float64(shown) > most || float64(missed) > most {
			t.Errorf("%v differ: no worse in %d, interval misses in %d of %d", mean, shown, missed, samples)
		}
	}
}
