package summary_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/assay-eval/assay/stats"
	"github.com/assay-eval/assay/summary"
)

// paired compares n pairs whose differences are normal with a mean and a deviation of 1.
func paired(rng *rand.Rand, n int, mean float64) stats.Comparison {
	pairs := make([]stats.Pair, n)
	for i := range pairs {
		pairs[i] = stats.Pair{New: mean + rng.NormFloat64()}
	}
	return stats.CompareAll([][]stats.Pair{pairs}, 0.95, 1)[0]
}

func TestSettles(t *testing.T) {
	d := stats.Comparison{N: 100, Level: 0.95, Diff: 0.1, CI: &stats.Interval{Lo: -0.1, Hi: 0.35}, Settle: 807.6, PAdjusted: 0.3}
	if n, ok := summary.Settles(d); !ok || n != 810 {
		t.Errorf("%d, %v, want 810", n, ok)
	}
	for name, change := range map[string]func(*stats.Comparison){
		"shown":       func(d *stats.Comparison) { d.PAdjusted, d.CI = 0.01, &stats.Interval{Lo: 0.01, Hi: 0.2} },
		"tiny":        func(d *stats.Comparison) { d.Settle = 10_001 },
		"no more":     func(d *stats.Comparison) { d.Settle = 90 },
		"no interval": func(d *stats.Comparison) { d.CI = nil },
		"not known":   func(d *stats.Comparison) { d.Settle = 0 },
	} {
		x := d
		change(&x)
		if n, ok := summary.Settles(x); ok {
			t.Errorf("%s: %d", name, n)
		}
	}
}

// TestSettlesHasItsPower draws as many cases as are said to show a difference, and sees how
// often they do.
func TestSettlesHasItsPower(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var d stats.Comparison
	n, ok := 0, false
	for !ok {
		d = paired(rng, 60, 0.15)
		n, ok = summary.Settles(d)
		ok = ok && n < 600
	}
	const draws = 200
	shown := 0
	for range draws {
		if summary.Shown(paired(rng, n, d.Diff/d.SD)) {
			shown++
		}
	}
	// Five standard errors of a share of 200.
	if share := float64(shown) / draws; math.Abs(share-0.8) > 0.14 {
		t.Errorf("%d cases show a difference of %.3f in %.0f of 100 draws, want 80", n, d.Diff, 100*share)
	}
}
