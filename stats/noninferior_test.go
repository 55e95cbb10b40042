package stats_test

import (
	"math"
	"slices"
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"github.com/assay-eval/assay/stats"
)

// TestGateWorkedCases: the bounds of the worked cases are those of t. All three
// verdicts by t are those by sign-flip.
func TestGateWorkedCases(t *testing.T) {
	t.Parallel()
	for _, id := range []string{"gate_0", "gate_1", "gate_2"} {
		c := worked(t, id)
		want := c.Expected.(map[string]any)
		margin := c.Input["delta"].(float64)
		r, ok := stats.NonInferior(pairs(floats(c.Input["d"]), nil), 0, margin, 0.05, 1)
		if !ok || r.TooFew || r.N != 12 || r.Margin != margin || r.Alpha != 0.05 {
			t.Fatalf("%s: got %+v, %v", id, r, ok)
		}
		near(t, id+" mean", r.Diff, want["mean"].(float64), 1e-9)
		near(t, id+" t lower", r.TLower, want["lower"].(float64), 1e-9)
		near(t, id+" t upper", r.TUpper, want["upper"].(float64), 1e-9)
		near(t, id+" p", r.P, want["p_noninf_signflip"].(float64), 1e-9)
		verdict := "INCONCLUSIVE"
		switch {
		case r.Shown:
			verdict = "PASS"
		case r.Worse:
			verdict = "FAIL"
		}
		if verdict != want["verdict"] {
			t.Errorf("%s: %s, want %s: %+v", id, verdict, want["verdict"], r)
		}
	}
}

// TestNothingChangedWithoutBounds: equal differences do not show how far others may be,
// unless there is a largest one.
func TestNothingChangedWithoutBounds(t *testing.T) {
	t.Parallel()
	for _, n := range []int{2, 5, 300} {
		for _, d := range []float64{0, 0.25, -0.25} {
			in := pairs(slices.Repeat([]float64{d}, n), nil)
			if r, ok := stats.NonInferior(in, 0, 0.02, 0.05, 1); ok {
				t.Errorf("%d differences of %v: %+v, want no bounds", n, d, r)
			}
			if r, ok := stats.NonInferior(in, 1, 0.02, 0.05, 1); !ok || r.Shown != (n == 300 && d >= 0 || n == 5 && d > 0 && r.Lower > -0.02) {
				t.Errorf("%d differences of %v within ±1: %+v", n, d, r)
			}
		}
	}
}

// TestFewClustersShowNoMargin: groups of 20 hits that all gain 6 would do so by chance in 1/2ⁿ of
// runs if each gained or lost 6: four groups show nothing at 5 %, whatever the margin is.
func TestFewClustersShowNoMargin(t *testing.T) {
	t.Parallel()
	for groups := 2; groups <= 6; groups++ {
		for _, margin := range []float64{0.05, 0, -0.1} {
			var in []stats.Pair
			for i := range 20 * groups {
				p := stats.Pair{Cluster: strconv.Itoa(i / 20), Width: 1}
				if i%10 < 5 {
					p.Old = 1
				}
				if i%10 < 8 {
					p.New = 1
				}
				in = append(in, p)
			}
			r, ok := stats.NonInferior(in, 1, margin, 0.05, 1)
			if !ok || r.Shown != (groups > 4) || r.TooFew != (groups < 5) || r.P < math.Ldexp(1, -groups) && r.TooFew ||
				(r.Lower > -margin) != r.Shown || r.TooFew && r.Needed > 0 {
				t.Errorf("%d groups, margin %v: %+v", groups, margin, r)
			}
			for i := range in {
				in[i].Old, in[i].New = in[i].New, in[i].Old
			}
			if r, ok := stats.NonInferior(in, 1, margin, 0.05, 1); !ok || r.Worse && groups < 5 {
				t.Errorf("%d groups that lose, margin %v: %+v", groups, margin, r)
			}
		}
	}
}

// TestMarginThatLeavesFew: 25 of 30 differences lie on the margin, so that 5
// differ from it, and only the pattern that keeps these is as far out: 1/32,
// where drawing would give it but nearly.
func TestMarginThatLeavesFew(t *testing.T) {
	t.Parallel()
	d := make([]float64, 30)
	for i := range d {
		d[i] = -0.02
		if i < 5 {
			d[i] = 0.1
		}
	}
	r, ok := stats.NonInferior(pairs(d, nil), 0, 0.02, 0.05, 1)
	if !ok || r.P != 1.0/32 || !r.Shown {
		t.Errorf("got %+v, %v, want p = 1/32", r, ok)
	}
}

// TestMarginBeyondAllScores: the size of the margin alone does not overflow.
func TestMarginBeyondAllScores(t *testing.T) {
	t.Parallel()
	for n, p := range map[int]float64{10: 1.0 / 1024, 30: 1.0 / 100_001} {
		d := make([]float64, n)
		for i := range d {
			d[i] = float64(i % 3)
		}
		if r, ok := stats.NonInferior(pairs(d, nil), 0, math.MaxFloat64, 0.05, 1); !ok || !r.Shown || r.Worse || r.P != p {
			t.Errorf("%d cases: %+v, %v, want it shown with p = %v", n, r, ok, p)
		}
		if r, ok := stats.NonInferior(pairs(d, nil), 0, -math.MaxFloat64, 0.05, 1); !ok || r.Shown || !r.Worse || r.P != 1 {
			t.Errorf("%d cases: %+v, %v, want it worse", n, r, ok)
		}
	}
}

func TestNonInferiorNeedsClusters(t *testing.T) {
	t.Parallel()
	one := []stats.Pair{{New: 1, Cluster: "a"}, {New: 2, Cluster: "a"}, {New: 3, Cluster: "a"}}
	for what, ok := range map[string]bool{
		"none":          second(stats.NonInferior(nil, 0, 0.1, 0.05, 1)),
		"one pair":      second(stats.NonInferior(one[:1], 0, 0.1, 0.05, 1)),
		"one cluster":   second(stats.NonInferior(one, 0, 0.1, 0.05, 1)),
		"margin":        second(stats.NonInferior(pairs([]float64{1, 2}, nil), 0, math.NaN(), 0.05, 1)),
		"alpha":         second(stats.NonInferior(pairs([]float64{1, 2}, nil), 0, 0.1, 0, 1)),
		"alpha of most": second(stats.NonInferior(pairs([]float64{1, 2}, nil), 0, 0.1, 0.6, 1)),
	} {
		if ok {
			t.Errorf("%s is ok", what)
		}
	}
}

func second[T any](_ T, ok bool) bool { return ok }

// TestNonInferiorityLaws: the verdict, the p-value and the bounds are one
// statement, and a wider margin never takes a pass back.
func TestNonInferiorityLaws(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		in := drawPairs(t)
		alpha := rapid.SampledFrom([]float64{0.01, 0.05, 0.1, 0.5}).Draw(t, "alpha")
		seed := rapid.Uint64().Draw(t, "seed of the test")
		before := stats.NonInferiority{P: 1}
		for i, margin := range []float64{-0.25, 0, 0.02, 0.25, 2} {
			r, ok := stats.NonInferior(in, 0, margin, alpha, seed)
			if !ok {
				return
			}
			if r.Shown != (r.P < alpha) || r.Shown != (r.Lower > -margin) || r.Worse != (r.Upper < -margin) || r.Shown && r.Worse {
				t.Fatalf("the parts disagree: %+v", r)
			}
			if r.P <= 0 || r.P > 1 || r.Lower > r.Diff+1e-9 && !r.Shown || r.Upper < r.Diff-1e-9 && !r.Worse || r.TLower > r.Diff || r.TUpper < r.Diff {
				t.Fatalf("bounds on the wrong side: %+v", r)
			}
			// A margin that makes all but 20 clusters zero is tested exactly, one
			// beside it is not: they can differ by Monte-Carlo error, 5 times
			// sqrt(1/4/100,000) at most.
			if i > 0 && r.P > before.P+0.008 || before.P == r.P && before.Shown != r.Shown {
				t.Fatalf("a wider margin is harder: %+v after %+v", r, before)
			}
			before = r
		}
	})
}

// TestMirroredVerdicts: what is shown to be worse in one direction is shown to be
// better in the other: A is worse than B by more than m when B is better than A
// by more than m.
func TestMirroredVerdicts(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		in := drawPairs(t)
		back := make([]stats.Pair, len(in))
		for i, p := range in {
			back[i] = stats.Pair{Old: p.New, New: p.Old, Cluster: p.Cluster}
		}
		a, ok := stats.NonInferior(in, 0, 0.05, 0.05, 3)
		b, _ := stats.NonInferior(back, 0, -0.05, 0.05, 3)
		if ok && (a.Worse != b.Shown || a.Shown != b.Worse || a.Upper != -b.Lower && !a.TooFew && math.Abs(a.Upper+b.Lower) > 1e-9) {
			t.Fatalf("not mirrored: %+v and %+v", a, b)
		}
	})
}
