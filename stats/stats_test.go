package stats_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"github.com/assay-eval/assay/internal/requiretest"
	"github.com/assay-eval/assay/stats"
)

func near(t *testing.T, what string, got, want, tol float64) {
	t.Helper()
	if math.Abs(got-want) > tol {
		t.Errorf("%s = %v, want %v ± %v", what, got, want, tol)
	}
}

func samples(values ...float64) []stats.Sample {
	out := make([]stats.Sample, len(values))
	for i, v := range values {
		out[i].Value = v
	}
	return out
}

func TestMeanOfNothing(t *testing.T) {
	e := stats.Mean(nil, 0.95)
	if e.N != 0 || e.CI != nil || e.Mean != 0 {
		t.Errorf("got %+v, want no interval and N = 0", e)
	}
}

func TestMeanOfOne(t *testing.T) {
	e := stats.Mean(samples(4), 0.95)
	if e.N != 1 || e.CI != nil || e.Mean != 4 {
		t.Errorf("got %+v, want the mean 4 without an interval", e)
	}
}

func TestMeanUsesStudentsT(t *testing.T) {
	// Mean 1.3, sum of squares 0.1, variance 0.1/4 = 0.025, standard error
	// sqrt(0.025/5) = 0.0707107, t(0.975; 4) = 2.776445: half width 0.196324.
	e := stats.Mean(samples(1.1, 1.2, 1.3, 1.4, 1.5), 0.95)
	near(t, "mean", e.Mean, 1.3, 1e-12)
	near(t, "half width", e.CI.Half(), 0.196324, 1e-6)
}

func TestMeanOfProportionsUsesWilson(t *testing.T) {
	e := stats.Mean(samples(1, 1, 1, 1, 1, 1, 1, 1, 1, 1), 0.95)
	// x = n: lo = n/(n+z²) = 10/13.841459.
	near(t, "lo", e.CI.Lo, 0.722467, 1e-6)
	near(t, "hi", e.CI.Hi, 1, 0)
}

// TestMeanOfEqualRatios: 4 values of 0.5 have no spread to measure. The share of what nobody
// saw is beta distributed with 0.75 and 4; its 0.975-quantile is 0.557, and half of it may be
// missing on either side.
func TestMeanOfEqualRatios(t *testing.T) {
	e := stats.Mean(samples(0.5, 0.5, 0.5, 0.5), 0.95)
	near(t, "lo", e.CI.Lo, 0.2212, 1e-4)
	near(t, "hi", e.CI.Hi, 0.7788, 1e-4)
}

// oracle is one worked example with its parts as JSON gives them.
type oracle struct {
	Input    map[string]any
	Expected any
}

func worked(t *testing.T, id string) (o oracle) {
	t.Helper()
	requiretest.Worked(t, id, &o.Input, &o.Expected)
	return o
}

func floats(v any) []float64 {
	var out []float64
	for _, x := range v.([]any) {
		out = append(out, x.(float64))
	}
	return out
}

// compare is [stats.CompareAll] of one metric.
func compare(pairs []stats.Pair, level float64, seed uint64) stats.Comparison {
	return stats.CompareAll([][]stats.Pair{pairs}, level, seed)[0]
}

// signFlip is the p-value of the sign-flip test of differences.
func signFlip(diffs []float64, seed uint64) float64 {
	return compare(pairs(diffs, nil), stats.DefaultLevel, seed).P
}

func pairs(diffs []float64, names any) []stats.Pair {
	out := make([]stats.Pair, len(diffs))
	for i, d := range diffs {
		out[i].New = d
		if list, ok := names.([]any); ok {
			out[i].Cluster = list[i].(string)
		}
	}
	return out
}

// TestWorkedCases covers the statistics that a summary and a comparison use;
// the rest of section 4 belongs to the packages that use it.
func TestWorkedCases(t *testing.T) {
	t.Run("signflip_exact", func(t *testing.T) {
		c := worked(t, "signflip_exact")
		want := c.Expected.(map[string]any)
		got := compare(pairs(floats(c.Input["d"]), nil), 0.95, 1)
		near(t, "p", got.P, want["p_two"].(float64), 1e-9)
		ci := floats(want["ci95_inverted"])
		near(t, "lo", got.CI.Lo, ci[0], 1e-6)
		near(t, "hi", got.CI.Hi, ci[1], 1e-6)
	})
	t.Run("signflip_zero_inflated", func(t *testing.T) {
		c := worked(t, "signflip_zero_inflated")
		got := compare(pairs(floats(c.Input["d"]), nil), 0.95, 1)
		near(t, "p", got.P, c.Expected.(map[string]any)["p_two"].(float64), 1e-9)
		if len(got.Warnings) == 0 || got.CI == nil || !got.CI.Contains(0) {
			t.Errorf("got %+v, want a warning and an interval that holds 0", got)
		}
	})
	t.Run("cluster_signflip", func(t *testing.T) {
		c := worked(t, "cluster_signflip")
		want := c.Expected.(map[string]any)
		d := floats(c.Input["d"])
		near(t, "p", compare(pairs(d, c.Input["cluster"]), 0.95, 1).P, want["p_two"].(float64), 1e-9)
		near(t, "p without clusters", compare(pairs(d, nil), 0.95, 1).P, want["p_ignoring_clusters"].(float64), 1e-9)
	})
	t.Run("cluster_se", func(t *testing.T) {
		c := worked(t, "cluster_se")
		names := c.Input["cluster"].([]any)
		var in []stats.Sample
		for i, d := range floats(c.Input["d"]) {
			in = append(in, stats.Sample{Value: d, Cluster: names[i].(string)})
		}
		ci := floats(c.Expected.(map[string]any)["ci95"])
		got := stats.Mean(in, 0.95) // with too few clusters for a correction of skewness
		near(t, "lo", got.CI.Lo, ci[0], 1e-6)
		near(t, "hi", got.CI.Hi, ci[1], 1e-6)
	})
	t.Run("binomial_ci", func(t *testing.T) {
		want := worked(t, "binomial_ci").Expected.(map[string]any)
		got := stats.Wilson(45, 50, 0.95)
		ci := floats(want["wilson"])
		near(t, "lo", got.Lo, ci[0], 1e-9)
		near(t, "hi", got.Hi, ci[1], 1e-9)
		exact := stats.ClopperPearson(45, 50, 0.95)
		ci = floats(want["clopper"])
		near(t, "exact lo", exact.Lo, ci[0], 1e-9)
		near(t, "exact hi", exact.Hi, ci[1], 1e-9)
		near(t, "30 of 30", stats.Wilson(30, 30, 0.95).Lo, floats(want["wilson_30_of_30"])[0], 1e-9)
	})
}

// TestClopperPearsonEnds: of none and of all, the bounds have a closed form, for
// (1−hi)ⁿ is then the chance of none at all.
func TestClopperPearsonEnds(t *testing.T) {
	t.Parallel()
	for _, n := range []int{1, 30, 60, 100_000} {
		none, all := stats.ClopperPearson(0, n, 0.9), stats.ClopperPearson(n, n, 0.9)
		want := 1 - math.Pow(0.05, 1/float64(n))
		near(t, "none: hi", none.Hi, want, 1e-9)
		near(t, "all: lo", all.Lo, 1-want, 1e-9)
		if none.Lo != 0 || all.Hi != 1 {
			t.Errorf("%d: %v and %v: want them to begin at 0 and end at 1", n, none, all)
		}
	}
}

// TestComparisonProperties draws many small comparisons, whose sign patterns are
// all listed, and one of each other kind: the most that are listed, patterns
// that are drawn, the last interval by inversion and the first of Student's t.
func TestComparisonProperties(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		value := rapid.IntRange(0, 4)
		checkComparison(t, rapid.IntRange(1, 14).Draw(t, "n"), func() int { return value.Draw(t, "quarters") })
	})
	for _, n := range []int{20, 21, 200, 201} {
		rng := rand.New(rand.NewPCG(8, uint64(n)))
		checkComparison(t, n, func() int { return rng.IntN(5) })
	}
}

// checkComparison compares n pairs of quarters, forth and back.
func checkComparison(t rapid.TB, n int, quarters func() int) {
	forth, back := make([]stats.Pair, n), make([]stats.Pair, n)
	for i := range n {
		a, b := float64(quarters())/4, float64(quarters())/4
		forth[i], back[i] = stats.Pair{Old: a, New: b}, stats.Pair{Old: b, New: a}
	}
	c, r := compare(forth, 0.95, 7), compare(back, 0.95, 7)
	if math.Abs(c.P-r.P) > 1e-12 || math.Abs(c.Diff+r.Diff) > 1e-12 || c.Wins != r.Losses {
		t.Fatalf("not antisymmetric: %+v and %+v", c, r)
	}
	if c.Wins+c.Ties+c.Losses != n {
		t.Fatalf("wins, ties and losses do not add up to %d: %+v", n, c)
	}
	if c.CI == nil {
		return
	}
	if !c.CI.Contains(c.Diff) && math.Abs(c.Diff-c.CI.Lo) > 1e-9 && math.Abs(c.Diff-c.CI.Hi) > 1e-9 {
		t.Fatalf("the interval %v leaves out the difference %v", c.CI, c.Diff)
	}
	if c.CI.Contains(0) == (c.P < 0.05) {
		t.Fatalf("the interval %v and p = %v disagree", c.CI, c.P)
	}
}

// TestMonteCarloNearExact: 21 clusters are drawn, 20 enumerated. Adding one
// difference of nothing changes no p-value, so both must agree within three
// Monte-Carlo standard errors, 3·sqrt(p(1−p)/100000).
func TestMonteCarloNearExact(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 10 {
		d := make([]float64, 20)
		for i := range d {
			d[i] = rng.NormFloat64() + 0.3
		}
		exact := signFlip(d, 1)
		drawn := signFlip(append(d, 0), 1)
		near(t, "p", drawn, exact, 3*math.Sqrt(exact*(1-exact)/100_000)+2e-5)
	}
}

// TestIntervalCoverage: the 95 % interval of a mean must hold the truth in
// about 95 % of samples, here 2,000 of 50 values from a known distribution. Three
// binomial standard errors are 1.5 points; Student's t on skewed values loses
// up to 2 more at this size.
func TestIntervalCoverage(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	held := 0
	for range 2000 {
		in := make([]stats.Sample, 50)
		for i := range in {
			in[i].Value = rng.Float64() * rng.Float64() // mean 1/4
		}
		if stats.Mean(in, 0.95).CI.Contains(0.25) {
			held++
		}
	}
	near(t, "coverage", float64(held)/2000, 0.95, 0.025)
}

func TestQuantile(t *testing.T) {
	v := []float64{1, 2, 3, 4}
	for p, want := range map[float64]float64{0: 1, 0.5: 2.5, 0.95: 3.85, 1: 4} {
		got, ok := stats.Quantile(v, p)
		if !ok {
			t.Fatal("no quantile")
		}
		near(t, "quantile", got, want, 1e-12)
	}
	if _, ok := stats.Quantile(nil, 0.5); ok {
		t.Error("a quantile of nothing")
	}
}
