package stats_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/assay-eval/assay/internal/requiretest"
	"github.com/assay-eval/assay/stats"
)

func TestBenjaminiHochbergWorked(t *testing.T) {
	t.Parallel()
	var in struct{ P []float64 }
	var want struct{ BH []float64 }
	requiretest.Worked(t, "holm_bh", &in, &want)
	for i, p := range stats.BenjaminiHochberg(in.P) {
		near(t, "BH", p, want.BH[i], 1e-9)
	}
	// statsmodels 0.15.0: multipletests(p, method="fdr_bh").
	for i, p := range stats.BenjaminiHochberg([]float64{.001, .2, .03, .03, .9, .04}) {
		near(t, "BH", p, []float64{.006, .24, .06, .06, .9, .06}[i], 1e-12)
	}
}

func TestBenjaminiHochbergProperties(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		p := rapid.SliceOf(rapid.Float64Range(0, 1)).Draw(t, "p")
		bh := stats.BenjaminiHochberg(p)
		for i := range p {
			if bh[i] < p[i] || bh[i] > float64(len(p))*p[i]+1e-12 || bh[i] > 1 {
				t.Fatalf("p = %v of %d: %v, want p ≤ BH ≤ Bonferroni", p[i], len(p), bh[i])
			}
			for j := range p {
				if p[i] < p[j] && bh[i] > bh[j] {
					t.Fatalf("the order is not kept: %v gives %v", p, bh)
				}
			}
		}
	})
}

func TestBenjaminiHochbergOfNoNumbers(t *testing.T) {
	t.Parallel()
	got := stats.BenjaminiHochberg([]float64{math.NaN(), 0.01, 7, -1})
	for i, want := range []float64{1, 0.04, 1, 1} {
		near(t, "BH", got[i], want, 1e-12)
	}
	if got := stats.BenjaminiHochberg(nil); len(got) != 0 {
		t.Errorf("of none: %v", got)
	}
}
