package stats_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/assay-eval/assay/stats"
)

// By hand: sorted by score the labels are 0 1 0 1 1 0 1. The pair 1 0 pools to
// 1/2; then 1 1 0 pools to 2/3 (1 and 1 stay apart until the 0 comes); 1 stays.
func TestIsotonicByHand(t *testing.T) {
	t.Parallel()
	got := stats.FitIsotonic([]float64{3, 1, 2, 4, 5, 6, 7}, []bool{false, false, true, true, true, false, true})
	want := &stats.Isotonic{Scores: []float64{1, 2, 4, 7}, Probabilities: []float64{0, 0.5, 2. / 3, 1}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	for score, p := range map[float64]float64{-5: 0, 1: 0, 1.9: 0, 2: 0.5, 6.9: 2. / 3, 7: 1, 100: 1} {
		near(t, "probability", got.Probability(score), p, 1e-12)
	}
}

// plainIsotonic is the max–min formula: the fitted value of the ith score is the
// largest over a ≤ i of the smallest over b ≥ i of the mean label from a to b.
func plainIsotonic(scores []float64, labels []bool) []float64 {
	u := slices.Clone(scores)
	slices.Sort(u)
	u = slices.Compact(u)
	mean := func(a, b int) float64 {
		sum, n := 0.0, 0.0
		for i, s := range scores {
			if s >= u[a] && s <= u[b] {
				n++
				if labels[i] {
					sum++
				}
			}
		}
		return sum / n
	}
	out := make([]float64, len(u))
	for i := range u {
		out[i] = math.Inf(-1)
		for a := 0; a <= i; a++ {
			least := math.Inf(1)
			for b := i; b < len(u); b++ {
				least = min(least, mean(a, b))
			}
			out[i] = max(out[i], least)
		}
	}
	return out
}

func TestIsotonicByDefinition(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 25).Draw(t, "n")
		scores, labels := make([]float64, n), make([]bool, n)
		for i := range n {
			scores[i] = float64(rapid.IntRange(0, 9).Draw(t, "score"))
			labels[i] = rapid.Bool().Draw(t, "label")
		}
		fit := stats.FitIsotonic(scores, labels)
		u := slices.Clone(scores)
		slices.Sort(u)
		u = slices.Compact(u)
		for i, want := range plainIsotonic(scores, labels) {
			if got := fit.Probability(u[i]); math.Abs(got-want) > 1e-12 {
				t.Fatalf("at %v: %v, want %v", u[i], got, want)
			}
		}
	})
}

// TestPlattFindsTheCurve: labels are drawn from a known logistic curve; with
// 20,000 of them the fit comes within a few standard errors (about 0.05 here),
// whatever the scale of the scores.
func TestPlattFindsTheCurve(t *testing.T) {
	t.Parallel()
	for _, scale := range []float64{1, 1000, 1e-6} {
		rng := rand.New(rand.NewPCG(21, 22))
		var scores []float64
		var labels []bool
		for range 20_000 {
			x := rng.Float64()*4 - 2
			scores = append(scores, scale*x)
			labels = append(labels, rng.Float64() < 1/(1+math.Exp(-(1.5*x-0.5))))
		}
		p, ok := stats.FitPlatt(scores, labels)
		if !ok {
			t.Fatal("no fit")
		}
		near(t, "slope", p.Slope*scale, 1.5, 0.1)
		near(t, "intercept", p.Intercept, -0.5, 0.1)
	}
}

// At the minimum both parts of the gradient, Σ(p−y) and Σ(p−y)x with Platt's
// targets, are 0; also where the score separates the labels.
func TestPlattIsAMinimum(t *testing.T) {
	t.Parallel()
	scores := []float64{0.1, 0.2, 0.3, 0.4, 0.7, 0.8, 0.9}
	for _, labels := range [][]bool{
		{false, false, true, false, true, false, true},
		{false, false, false, false, true, true, true},
	} {
		p, ok := stats.FitPlatt(scores, labels)
		if !ok {
			t.Fatal("no fit")
		}
		var ga, gb float64
		for i, s := range scores {
			y := 1. / 6 // four labelled false: 1/(4+2)
			if labels[i] {
				y = 4. / 5 // three labelled true: (3+1)/(3+2)
			}
			ga += (p.Probability(s) - y) * s
			gb += p.Probability(s) - y
		}
		near(t, "gradient", ga, 0, 1e-6)
		near(t, "gradient", gb, 0, 1e-6)
	}
}

func TestRecalibrateChoosesByNumber(t *testing.T) {
	t.Parallel()
	sample := func(n int, rising bool) (scores []float64, labels []bool) {
		for i := range n {
			scores = append(scores, float64(i)/float64(n))
			labels = append(labels, (i%3 == 0) != (rising && i > n/2))
		}
		return scores, labels
	}
	for _, c := range []struct {
		n      int
		rising bool
		want   string
	}{{29, true, "29 labels: want at least 30 to recalibrate"}, {199, true, "platt"}, {200, true, "isotonic"}, {200, false, "isotonic"}} {
		s, l := sample(c.n, c.rising)
		r, err := stats.Recalibrate(s, l)
		got := ""
		if err != nil {
			got = err.Error()
		} else {
			got = r.Method()
			last := 0.0
			for x := -1.0; x < 2; x += 0.01 {
				p := r.Probability(x)
				if !(p >= last && p <= 1) {
					t.Fatalf("%s: %v at %v after %v", got, p, x, last)
				}
				last = p
			}
		}
		if got != c.want {
			t.Errorf("%d labels: %q, want %q", c.n, got, c.want)
		}
	}
	if _, err := stats.Recalibrate(make([]float64, 40), make([]bool, 40)); err == nil {
		t.Error("labels that are all equal were recalibrated")
	}
	s, l := sample(100, true)
	slices.Reverse(s)
	if _, err := stats.Recalibrate(s, l); err == nil {
		t.Error("scores that fall were recalibrated by a rising curve")
	}
}
