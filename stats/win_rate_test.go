package stats

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/assay-eval/assay/internal/requiretest"
)

func outcomes(values ...float64) []Outcome {
	var out []Outcome
	for i, v := range values {
		out = append(out, Outcome{Value: v, Case: fmt.Sprint(i)})
	}
	return out
}

func TestWinRate(t *testing.T) {
	t.Parallel()
	// Rate: (1+1+1+0.5+0.75+0)/6; sign test of 4 wins against 1 loss: 2·(1+5)/2⁵.
	w := WinRates([][]Outcome{outcomes(1, 1, 1, 0, 0.5, -1)}, 0.95, 1)[0]
	if w.N != 6 || w.Better != 4 || w.Same != 1 || w.Worse != 1 || math.Abs(w.Rate-4.25/6) > 1e-12 || math.Abs(w.SignP-0.375) > 1e-12 {
		t.Errorf("%+v", w)
	}
	// Sign flips of 1, 1, 1, ½ and 1 by hand: |S| ≥ 2.5. Of the 16 signs of the four ones S is 4, 2, 0, −2,
	// −4 in 1, 4, 6, 4, 1; with ±½, |S| ≥ 2.5 holds for ±4 with both (4) and ±2 with the same sign (8): 12/32.
	if math.Abs(w.P-12./32) > 1e-12 || w.PAdjusted != w.P || w.Shown() {
		t.Errorf("p = %v, adjusted %v: want 0.375", w.P, w.PAdjusted)
	}
	// Ten wins: mid-p of McNemar is 2^-10.
	w = WinRates([][]Outcome{outcomes(1, 1, 1, 1, 1, 1, 1, 1, 1, 1)}, 0.95, 1)[0]
	if w.Rate != 1 || math.Abs(w.P-math.Ldexp(1, -10)) > 1e-12 || w.CI == nil || w.CI.Lo <= 0.5 || w.CI.Hi != 1 || !w.Shown() {
		t.Errorf("%+v, %+v", w, w.CI)
	}
	if w := WinRates([][]Outcome{nil}, 0.95, 1)[0]; w.N != 0 || w.CI != nil || w.Shown() {
		t.Errorf("no case: %+v", w)
	}
	if w := WinRates([][]Outcome{outcomes(0, 0, 0, 0, 0, 0, 0, 0)}, 0.95, 1)[0]; w.Rate != 0.5 || w.P != 1 || w.Shown() {
		t.Errorf("only ties: %+v", w)
	}
}

// TestWinRateSwaps: the other order of the systems gives the same verdict, the other way
// round, whatever the outcomes.
func TestWinRateSwaps(t *testing.T) {
	requiretest.Apart(t)
	t.Parallel()
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(seed, 1))
		var there, back [][]Outcome
		for range 1 + seed%3 {
			var a, b []Outcome
			for i := range 3 + rng.IntN(60) {
				o := Outcome{Value: float64(rng.IntN(5)-2) / 2, Case: fmt.Sprint(i)}
				if seed%4 == 0 {
					o.Value = float64(2*rng.IntN(2) - 1)
				}
				if seed%2 == 0 {
					o.Cluster = fmt.Sprint(i / 3)
				}
				a = append(a, o)
				o.Value = -o.Value
				b = append(b, o)
			}
			there, back = append(there, a), append(back, b)
		}
		x, y := WinRates(there, 0.95, 7), WinRates(back, 0.95, 7)
		for i := range x {
			s := turned(y[i])
			near := func(a, b float64) bool { return math.Abs(a-b) < 1e-9 }
			same := x[i].Better == s.Better && x[i].Worse == s.Worse && near(x[i].Rate, s.Rate) && near(x[i].P, s.P) &&
				near(x[i].PAdjusted, s.PAdjusted) && x[i].Shown() == s.Shown() && (x[i].CI == nil) == (s.CI == nil)
			if same && x[i].CI != nil {
				same = near(x[i].CI.Lo, s.CI.Lo) && near(x[i].CI.Hi, s.CI.Hi)
			}
			if !same {
				t.Errorf("seed %d, pair %d: %+v %v, swapped %+v %v", seed, i, x[i], x[i].CI, s, s.CI)
			}
			if x[i].CI != nil && x[i].Shown() == x[i].CI.Contains(0.5) {
				t.Errorf("seed %d: shown %v, interval %v", seed, x[i].Shown(), *x[i].CI)
			}
		}
	}
}

// turned returns the win rate of the old system over the new one.
func turned(w WinRate) WinRate {
	w.Better, w.Worse, w.Rate = w.Worse, w.Better, 1-w.Rate
	if w.CI != nil {
		w.CI = &Interval{1 - w.CI.Hi, 1 - w.CI.Lo}
	}
	return w
}

// TestWinRateConstant: equal outcomes do not show how far others may differ, whatever they are.
func TestWinRateConstant(t *testing.T) {
	t.Parallel()
	equal := func(value float64, n, size int) []Outcome {
		out := make([]Outcome, n)
		for i := range out {
			out[i] = Outcome{Value: value, Case: fmt.Sprint(i)}
			if size > 1 {
				out[i].Cluster = fmt.Sprint(i / size)
			}
		}
		return out
	}
	// Of 30 cases none differs: at most the share 0.1005 does, the 0.975-quantile of a beta
	// distribution with 0.75 and 30, at worst to a loss or to a win.
	for _, c := range []struct{ value, lo, hi float64 }{
		{0, 0.5 - 0.100486/2, 0.5 + 0.100486/2}, {0.5, 0.75 - 0.100486*0.75, 0.75 + 0.100486*0.25}, {-0.5, 0.25 - 0.100486*0.25, 0.25 + 0.100486*0.75},
		{1, 1 - 0.100486, 1}, {-1, 0, 0.100486},
	} {
		w := WinRates([][]Outcome{equal(c.value, 30, 1)}, 0.95, 1)[0]
		if w.CI == nil || math.Abs(w.CI.Lo-c.lo) > 1e-4 || math.Abs(w.CI.Hi-c.hi) > 1e-4 || w.Shown() != (c.value != 0) {
			t.Errorf("all %v: %+v, interval %v, want %v…%v", c.value, w, w.CI, c.lo, c.hi)
		}
	}
	alone := WinRates([][]Outcome{equal(0.5, 30, 1)}, 0.95, 1)[0]
	for name, w := range map[string]WinRate{
		"in groups":      WinRates([][]Outcome{equal(0.5, 30, 3)}, 0.95, 1)[0],
		"beside another": WinRates([][]Outcome{equal(0.5, 30, 1), outcomes(1, -1, 0, 0.5, 1, 1, 0, -0.5)}, 0.95, 1)[0],
	} {
		if w.CI == nil || w.CI.Lo >= alone.CI.Lo || w.CI.Hi <= alone.CI.Hi {
			t.Errorf("%s: %v, want more than %v", name, w.CI, alone.CI)
		}
	}
	// A win and a half of one in each group: what groups share is no reason to be less sure.
	var mixed []Outcome
	for i := range 40 {
		mixed = append(mixed, Outcome{Value: float64(1+i%2) / 2, Cluster: fmt.Sprint(i / 2)})
	}
	if w := WinRates([][]Outcome{mixed}, 0.95, 1)[0]; w.CI == nil || math.Abs(w.CI.Lo-0.7934) > 1e-4 || math.Abs(w.CI.Hi-0.9173) > 1e-4 {
		t.Errorf("groups of equal means: %v, want 0.7934…0.9173", w.CI)
	}
	// Six halves are shown (2/2⁶), so that the interval leaves out one half, though the bound alone would not.
	if w := WinRates([][]Outcome{equal(0.5, 6, 1)}, 0.95, 1)[0]; !w.Shown() || w.CI == nil || w.CI.Contains(0.5) || w.CI.Lo > 0.501 {
		t.Errorf("six halves: %+v, interval %v", w, w.CI)
	}
}
