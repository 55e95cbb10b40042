package stats

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
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
