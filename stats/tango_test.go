package stats

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"
)

// TestTangoWorked: 1 and 7 of 21 change (Fagerland, Lydersen and Laake, Statistics
// in Medicine 33, 2014, table 8: −0.517…−0.026).
func TestTangoWorked(t *testing.T) {
	t.Parallel()
	z := zQuantile(0.975)
	if got := tango(1, 7, 21, z); math.Abs(got.Lo+0.517) > 5e-4 || math.Abs(got.Hi+0.026) > 5e-4 {
		t.Errorf("got %v, want −0.517…−0.026", got)
	}
	if got, end := tango(0, 0, 30, z), z*z/(30+z*z); math.Abs(got.Hi-end) > 1e-12 || got.Lo != -got.Hi {
		t.Errorf("none changes: %v, want ±%v", got, end)
	}
	if got := tango(30, 0, 30, z); got.Hi != 1 || got.Lo < 0.7 {
		t.Errorf("all change: %v", got)
	}
}

// TestNoneOfThirtyDiffers: that is no proof that nothing ever differs.
func TestNoneOfThirtyDiffers(t *testing.T) {
	t.Parallel()
	z := zQuantile(0.975)
	for _, values := range [][2]float64{{0, 1}, {0.25, 0.5}} {
		hits, tens := make([]Pair, 30), make([]Pair, 30)
		for i := range hits {
			v := values[i%2]
			hits[i], tens[i] = Pair{Old: v, New: v}, Pair{Old: 10 * v, New: 10 * v}
		}
		c := CompareAll([][]Pair{hits}, 0.95, 1)[0]
		if c.CI == nil || math.Abs(c.CI.Hi-z*z/(30+z*z)) > 1e-9 || c.CI.Lo != -c.CI.Hi || c.P != 1 {
			t.Errorf("%v: %+v, want an interval of ±0.114", values, c)
		}
		for i := range hits {
			hits[i].Cluster = fmt.Sprint(i / 3)
		}
		if grouped := CompareAll([][]Pair{hits}, 0.95, 1)[0]; grouped.CI.Hi < 0.3 {
			t.Errorf("in ten groups: %v, want what ten cases allow", grouped.CI)
		}
		if c := CompareAll([][]Pair{tens}, 0.95, 1)[0]; c.CI != nil {
			t.Errorf("scores without bounds: %v, want no interval", c.CI)
		}
	}
}

// tables calls f with every probable table of n pairs: up and down are the counts
// of pairs that change, p and q their probabilities.
func tables(n int, p, q float64, f func(up, down int, weight float64)) {
	prob := func(k, n int, p float64) float64 {
		if p <= 0 {
			if k > 0 {
				return 0
			}
			return 1
		}
		return distuv.Binomial{N: float64(n), P: p}.Prob(float64(k))
	}
	for up := 0; up <= n; up++ {
		w := prob(up, n, p)
		for down := 0; down <= n-up && w > 1e-9; down++ {
			if v := w * prob(down, n-up, q/(1-p)); v > 1e-9 {
				f(up, down, v)
			}
		}
	}
}

// hits are n pairs of which some change.
func hits(up, down, n int) differences {
	pairs := make([]Pair, n)
	for i := range pairs {
		switch {
		case i < up:
			pairs[i].New = 1
		case i < up+down:
			pairs[i].Old = 1
		}
	}
	return subtract(pairs, 0)
}

// exactly returns, over all tables, the coverage of the interval of hits and the
// shares in which mid-p and the exact p are below 0.05.
func exactly(n int, p, q float64) (coverage, mid, exact float64) {
	tables(n, p, q, func(up, down int, w float64) {
		d := hits(up, down, n)
		c := d.describe(0.95)
		d.decide(&c, newFlips(d.groups))
		if c.CI.Lo <= p-q+1e-12 && p-q <= c.CI.Hi+1e-12 {
			coverage += w
		}
		if c.P < 0.05 {
			mid += w
		}
		if m, _ := McNemar(up, down, n); m.P < 0.05 {
			exact += w
		}
	})
	return coverage, mid, exact
}

// TestHitsCovered counts all tables: the interval holds the true difference in 93 %
// or more; from five changed pairs expected on in no more than 98.5 %, below that no
// interval that agrees with a test of level 5 % can. The test keeps its level, and
// has at least the power of the exact one.
func TestHitsCovered(t *testing.T) {
	t.Parallel()
	for _, n := range []int{20, 50, 100} {
		for _, changed := range []float64{0, 0.01, 0.02, 0.05, 0.1} {
			for _, up := range []float64{0.5, 0.75, 1} {
				p, q := changed*up, changed*(1-up)
				coverage, mid, exact := exactly(n, p, q)
				most := 1.0001
				if changed*float64(n) >= 5 {
					most = 0.985
				}
				if coverage < 0.93 || coverage > most {
					t.Errorf("n = %d, %v and %v change: coverage %v", n, p, q, coverage)
				}
				if p == q && mid > 0.055 || mid < exact {
					t.Errorf("n = %d, %v and %v change: mid-p rejects %v, exact p %v", n, p, q, mid, exact)
				}
			}
		}
	}
}
