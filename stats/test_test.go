package stats_test

import (
	"math"
	"testing"

	"github.com/assay-eval/assay/stats"
)

func TestParseTest(t *testing.T) {
	t.Parallel()
	for _, name := range stats.Tests() {
		if got, err := stats.ParseTest(name); err != nil || string(got) != name {
			t.Errorf("%q: %q, %v", name, got, err)
		}
	}
	if got, err := stats.ParseTest(""); err != nil || got != stats.SignFlip {
		t.Errorf("no name: %q, %v", got, err)
	}
	_, err := stats.ParseTest("anova")
	if err == nil || err.Error() != `unknown test "anova": expected one of sign-flip, t, wilcoxon, mcnemar` {
		t.Error(err)
	}
}

// Every test gives the p-value of its own function; the sign-flip test is
// CompareAll.
func TestCompareBy(t *testing.T) {
	t.Parallel()
	d := []float64{0.1, -0.05, 0.2, 0.3, 0, 0.15, 0.1, -0.1}
	by := func(test stats.Test, p []stats.Pair) stats.Comparison {
		return stats.CompareBy(test, [][]stats.Pair{p}, 0.95, 1)[0]
	}
	usual := compare(pairs(d, nil), 0.95, 1)
	if got := by(stats.SignFlip, pairs(d, nil)); got.P != usual.P || got.Test != "" || *got.CI != *usual.CI {
		t.Errorf("sign-flip: %+v, want %+v", got, usual)
	}
	student, _ := stats.PairedT(samples(d...), 0.95)
	got := by(stats.StudentT, pairs(d, nil))
	near(t, "t", got.P, student.P, 1e-12)
	if got.Test != stats.StudentT || got.PAdjusted != got.P || math.Abs(got.CI.Lo-student.CI.Lo) > 1e-12 || got.Diff != usual.Diff {
		t.Errorf("t: %+v", got)
	}
	ranks, _ := stats.Wilcoxon(d)
	got = by(stats.SignedRank, pairs(d, nil))
	near(t, "wilcoxon", got.P, ranks.P, 1e-12)
	if got.Test != stats.SignedRank || got.CI != nil {
		t.Errorf("wilcoxon: %+v", got)
	}
	yes := []stats.Pair{{Old: 0, New: 1}, {Old: 0, New: 1}, {Old: 0, New: 1}, {Old: 1, New: 0}, {Old: 1, New: 1}, {Old: 0, New: 0}}
	mcnemar, _ := stats.McNemar(3, 1, 6)
	got = by(stats.MidP, yes)
	if got.Test != stats.MidP || got.P != mcnemar.MidP || *got.CI != *compare(yes, 0.95, 1).CI ||
		got.Warnings[0] != (stats.Warning{Kind: stats.Discordant, N: 3, M: 1, Value: 0.625}) {
		t.Errorf("mcnemar: %+v", got)
	}
}

// Where a test does not apply, the sign-flip test is used and a warning says why.
func TestCompareByThatDoesNotApply(t *testing.T) {
	t.Parallel()
	grouped := pairs([]float64{0.1, 0.2, -0.1, 0.3}, []any{"a", "a", "b", "c"})
	for _, c := range []struct {
		test stats.Test
		in   []stats.Pair
		why  stats.WarningKind
	}{
		{stats.SignedRank, grouped, stats.TestNeedsIndependence},
		{stats.MidP, grouped, stats.TestNeedsIndependence},
		{stats.MidP, pairs([]float64{0.5, 1}, nil), stats.TestNeedsBinary},
		{stats.StudentT, pairs([]float64{0.1}, nil), stats.TestNeedsTwoCases},
		{stats.StudentT, pairs([]float64{0.25, 0.25, 0.25}, nil), stats.TestNeedsVariation},
		{stats.StudentT, pairs(make([]float64, 30), nil), stats.TestNeedsVariation},
	} {
		want := compare(c.in, 0.95, 1)
		got := stats.CompareBy(c.test, [][]stats.Pair{c.in}, 0.95, 1)[0]
		last := got.Warnings[len(got.Warnings)-1]
		if got.P != want.P || got.Test != "" || last != (stats.Warning{Kind: c.why, Test: c.test}) {
			t.Errorf("%s: %+v", c.test, got)
		}
	}
	if got := stats.CompareBy(stats.StudentT, [][]stats.Pair{grouped}, 0.95, 1)[0]; got.Test != stats.StudentT {
		t.Errorf("the t test knows of clusters: %+v", got)
	}
}

// TestTooFewDifferByEachTest: the warning says that nothing can be shown where no p-value of the test can be below 5 %: no
// case differs, or by Student's t fewer than four (t = √(k(n−1)/(n−k)) if k of n differ, by the same), by mid-p fewer than
// five, by signed ranks fewer than six. So it is where cases of a group cancel out.
func TestTooFewDifferByEachTest(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		test   stats.Test
		change []float64
		kind   stats.WarningKind
	}{
		{stats.SignFlip, nil, stats.CannotBeSignificant}, {stats.SignFlip, []float64{1, -1}, stats.CannotBeSignificant},
		{stats.SignFlip, []float64{1, 1, 1, 1, 1}, stats.FewDiffer}, {stats.MidP, nil, stats.CannotBeSignificant},
		{stats.MidP, []float64{1}, stats.CannotBeSignificant}, {stats.MidP, []float64{1, 1, 1, 1, 1}, stats.FewDiffer},
		{stats.StudentT, []float64{1, 1, 1}, stats.CannotBeSignificant}, {stats.StudentT, []float64{1, 1, 1, 1}, stats.FewDiffer},
		{stats.SignedRank, []float64{1, 1, 1, 1, 1}, stats.CannotBeSignificant}, {stats.SignedRank, []float64{1, 1, 1, 1, 1, 1}, stats.FewDiffer},
	} {
		in := make([]stats.Pair, 40)
		for i, v := range c.change {
			in[i] = stats.Pair{Old: max(0, -v), New: max(0, v)}
			if c.test == stats.SignFlip && v*c.change[0] < 0 {
				in[0].Cluster, in[i].Cluster = "g", "g"
			}
		}
		got := stats.CompareBy(c.test, [][]stats.Pair{in}, 0.95, 1)[0]
		kinds := map[stats.WarningKind]bool{}
		for _, w := range got.Warnings {
			kinds[w.Kind] = true
		}
		if !kinds[c.kind] || kinds[stats.CannotBeSignificant] && kinds[stats.FewDiffer] {
			t.Errorf("%s of %v: %v, p %v", c.test, c.change, got.Warnings, got.P)
		}
	}
}
