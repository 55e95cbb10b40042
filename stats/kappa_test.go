package stats_test

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/assay-eval/assay/internal/requiretest"
	"github.com/assay-eval/assay/stats"
)

// undefinedOr compares a number with one that may be undefined.
func undefinedOr(t testing.TB, what string, got float64, ok bool, want *float64) {
	t.Helper()
	if ok != (want != nil) {
		t.Errorf("%s: %v %v, want %v", what, got, ok, want)
	}
	if ok && want != nil && math.Abs(got-*want) > 1e-9 {
		t.Errorf("%s: %v, want %v", what, got, *want)
	}
}

func unitsOf(a, b []float64) [][]float64 {
	var out [][]float64
	for i := range a {
		out = append(out, []float64{a[i], b[i]})
	}
	return out
}

func TestKappaWorked(t *testing.T) {
	t.Parallel()
	for _, id := range []string{"kappa", "kappa_paradox", "kappa_undefined"} {
		var in struct {
			A, B []float64
			YY   int `json:"a_yes_b_yes"`
			YN   int `json:"a_yes_b_no"`
			NY   int `json:"a_no_b_yes"`
			NN   int `json:"a_no_b_no"`
		}
		var want struct {
			Kappa, Agreement, AC1 *float64
			Alpha                 *float64 `json:"alpha_nominal"`
		}
		requiretest.Worked(t, id, &in, &want)
		for _, c := range []struct {
			n    int
			a, b float64
		}{{in.YY, 1, 1}, {in.YN, 1, 0}, {in.NY, 0, 1}, {in.NN, 0, 0}} {
			for range c.n {
				in.A, in.B = append(in.A, c.a), append(in.B, c.b)
			}
		}
		var c stats.Confusion
		for i := range in.A {
			c.Add(in.A[i] == 1, in.B[i] == 1)
		}
		k, ok := c.Kappa()
		undefinedOr(t, id+" kappa", k, ok, want.Kappa)
		k, ok = c.Accuracy()
		undefinedOr(t, id+" agreement", k, ok, want.Agreement)
		k, ok = c.AC1()
		undefinedOr(t, id+" AC1", k, ok, want.AC1)
		if want.Alpha != nil {
			k, ok = stats.Alpha(unitsOf(in.A, in.B), stats.NominalDistance)
			undefinedOr(t, id+" alpha", k, ok, want.Alpha)
		}
	}
}

func TestWeightedKappaWorked(t *testing.T) {
	t.Parallel()
	var in struct{ A, B, Cats []int }
	var want struct {
		Linear, Quadratic *float64
		Ordinal           *float64 `json:"alpha_ordinal"`
		Interval          *float64 `json:"alpha_interval"`
	}
	requiretest.Worked(t, "weighted_kappa", &in, &want)
	lo, hi := in.Cats[0], in.Cats[len(in.Cats)-1]
	k, ok := stats.WeightedKappa(in.A, in.B, lo, hi, stats.Linear)
	undefinedOr(t, "linear", k, ok, want.Linear)
	k, ok = stats.WeightedKappa(in.A, in.B, lo, hi, stats.Quadratic)
	undefinedOr(t, "quadratic", k, ok, want.Quadratic)
	var a, b []float64
	for i := range in.A {
		a, b = append(a, float64(in.A[i])), append(b, float64(in.B[i]))
	}
	k, ok = stats.Alpha(unitsOf(a, b), stats.OrdinalDistance)
	undefinedOr(t, "ordinal alpha", k, ok, want.Ordinal)
	k, ok = stats.Alpha(unitsOf(a, b), stats.IntervalDistance)
	undefinedOr(t, "interval alpha", k, ok, want.Interval)
}

func TestKrippendorffWorked(t *testing.T) {
	t.Parallel()
	var in struct{ Units [][]float64 }
	var want struct{ Nominal, Ordinal, Interval *float64 }
	requiretest.Worked(t, "krippendorff_textbook", &in, &want)
	for d, w := range map[stats.Distance]*float64{
		stats.NominalDistance: want.Nominal, stats.OrdinalDistance: want.Ordinal, stats.IntervalDistance: want.Interval,
	} {
		a, ok := stats.Alpha(in.Units, d)
		undefinedOr(t, "alpha", a, ok, w)
	}
}

// The weight of a disagreement is by the declared scale: two raters who use
// only 0 and 1 of a scale to 3 have the kappa of two levels, since all weights
// shrink alike; but a rating off the scale is refused.
func TestWeightedKappaScale(t *testing.T) {
	t.Parallel()
	a, b := []int{0, 1, 1, 0, 1}, []int{0, 1, 0, 0, 1}
	narrow, _ := stats.WeightedKappa(a, b, 0, 1, stats.Quadratic)
	wide, ok := stats.WeightedKappa(a, b, 0, 3, stats.Quadratic)
	if !ok {
		t.Fatal("no kappa")
	}
	near(t, "kappa", wide, narrow, 1e-12)
	for _, c := range []struct {
		a, b   []int
		lo, hi int
	}{{a, b, 0, 0}, {a, b, 1, 3}, {a, b[1:], 0, 1}, {nil, nil, 0, 1}, {[]int{2, 2}, []int{2, 2}, 0, 3}, {[]int{4}, []int{1}, 0, 3}} {
		if k, ok := stats.WeightedKappa(c.a, c.b, c.lo, c.hi, stats.Linear); ok {
			t.Errorf("%+v: %v, want none", c, k)
		}
	}
}

// TestAgreementProperties: identical lists that are not constant agree
// perfectly, and new names for the labels change nothing.
func TestAgreementProperties(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 30).Draw(t, "n")
		level := rapid.IntRange(0, 3)
		a, b := make([]int, n), make([]int, n)
		names := rapid.Permutation([]int{10, 20, 30, 40}).Draw(t, "names")
		ra, rb := make([]int, n), make([]int, n)
		var same, pair, renamed [][]float64
		for i := range n {
			a[i], b[i] = level.Draw(t, "a"), level.Draw(t, "b")
			ra[i], rb[i] = names[a[i]], names[b[i]]
			same = append(same, []float64{float64(a[i]), float64(a[i])})
			pair = append(pair, []float64{float64(a[i]), float64(b[i])})
			renamed = append(renamed, []float64{float64(ra[i]), float64(rb[i])})
		}
		constant := slices.Min(a) == slices.Max(a)
		check := func(what string, v float64, ok bool) {
			if ok == constant || ok && math.Abs(v-1) > 1e-9 {
				t.Fatalf("%s of identical lists: %v %v", what, v, ok)
			}
		}
		k, ok := stats.WeightedKappa(a, a, 0, 3, stats.Linear)
		check("weighted kappa", k, ok)
		for _, d := range []stats.Distance{stats.NominalDistance, stats.OrdinalDistance, stats.IntervalDistance} {
			k, ok = stats.Alpha(same, d)
			check("alpha", k, ok)
		}
		equal := func(what string, x float64, okX bool, y float64, okY bool) {
			if okX != okY || math.Abs(x-y) > 1e-9 || x > 1+1e-12 {
				t.Fatalf("%s: %v %v by one name, %v %v by another", what, x, okX, y, okY)
			}
		}
		x, okX := stats.Alpha(pair, stats.NominalDistance)
		y, okY := stats.Alpha(renamed, stats.NominalDistance)
		equal("alpha", x, okX, y, okY)
	})
}

// TestAlphaWithMissingRatings: a unit with one rating changes nothing, and
// alpha equals one minus the mean squared difference within units over that
// between all pairs of ratings, where every unit has two (a plain version of the
// interval distance).
func TestAlphaWithMissingRatings(t *testing.T) {
	t.Parallel()
	units := [][]float64{{1, 2}, {3, 3}, {5, 4}, {2, 2}}
	got, ok := stats.Alpha(units, stats.IntervalDistance)
	if !ok {
		t.Fatal("no alpha")
	}
	var all []float64
	observed := 0.0
	for _, u := range units {
		observed += (u[0] - u[1]) * (u[0] - u[1]) / float64(len(units))
		all = append(all, u...)
	}
	expected, pairs := 0.0, 0.0
	for i := range all {
		for j := range i {
			expected += (all[i] - all[j]) * (all[i] - all[j])
			pairs++
		}
	}
	near(t, "alpha", got, 1-observed/(expected/pairs), 1e-12)
	more, _ := stats.Alpha(append([][]float64{{9}, nil}, units...), stats.IntervalDistance)
	near(t, "alpha with units of one rating", more, got, 0)
	for _, u := range [][][]float64{nil, {{1}}, {{1, 1}, {1, 1}}, {{1, math.NaN()}}, {{1, math.Inf(1)}, {2, 3}}} {
		if a, ok := stats.Alpha(u, stats.IntervalDistance); ok {
			t.Errorf("%v: %v, want none", u, a)
		}
	}
}

// Kappa and AC1 by their formulas, with the shares of both labels.
func TestConfusionAgreement(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		c := stats.Confusion{
			TP: rapid.IntRange(0, 9).Draw(t, "tp"), FP: rapid.IntRange(0, 9).Draw(t, "fp"),
			TN: rapid.IntRange(0, 9).Draw(t, "tn"), FN: rapid.IntRange(0, 9).Draw(t, "fn"),
		}
		n := float64(c.N())
		ruled, labelled := float64(c.TP+c.FP)/n, float64(c.TP+c.FN)/n
		po, pe := float64(c.TP+c.TN)/n, ruled*labelled+(1-ruled)*(1-labelled)
		k, ok := c.Kappa()
		if one := n == 0 || ruled == labelled && (ruled == 0 || ruled == 1); ok == one || ok && math.Abs(k-(po-pe)/(1-pe)) > 1e-9 {
			t.Fatalf("%+v: kappa %v %v, want %v", c, k, ok, (po-pe)/(1-pe))
		}
		pi := (ruled + labelled) / 2
		pe = pi*(1-pi) + (1-pi)*pi
		k, ok = c.AC1()
		if one := n == 0 || pi == 0 || pi == 1; ok == one || ok && math.Abs(k-(po-pe)/(1-pe)) > 1e-9 {
			t.Fatalf("%+v: AC1 %v %v, want %v", c, k, ok, (po-pe)/(1-pe))
		}
	})
}
