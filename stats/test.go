package stats

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// A Test is a method to compute the p-value of a paired comparison. The zero
// value is [SignFlip].
type Test string

const (
	// SignFlip is the randomisation test of [CompareAll]: of the mean, without
	// distributional assumptions, cluster-aware.
	SignFlip Test = "sign-flip"
	// StudentT is [PairedT]: of the mean, cluster-aware, approximate for few
	// differences that are far from normal.
	StudentT Test = "t"
	// SignedRank is [Wilcoxon]: of symmetry about 0, for independent cases.
	SignedRank Test = "wilcoxon"
	// MidP is [McNemar] with mid-p, for independent cases with scores 0 or 1.
	MidP Test = "mcnemar"
)

// Tests lists the tests by name, the default first.
func Tests() []string {
	return []string{string(SignFlip), string(StudentT), string(SignedRank), string(MidP)}
}

// ParseTest returns the test with a name; "" is the default.
func ParseTest(name string) (Test, error) {
	if name == "" {
		return SignFlip, nil
	}
	if !slices.Contains(Tests(), name) {
		return "", fmt.Errorf("unknown test %q: expected one of %s", name, strings.Join(Tests(), ", "))
	}
	return Test(name), nil
}

// CompareBy is [CompareAll] with the p-values of another test, and the intervals
// that agree with it: Student's for [StudentT], and none for tests that are not
// about the mean difference. [MidP] is what [CompareAll] does with two values. If a test does not apply, the sign-flip test is
// used, and a warning says why.
func CompareBy(test Test, metrics [][]Pair, level float64, seed uint64) []Comparison {
	out := CompareAll(metrics, level, seed)
	for i := range out {
		out[i].retest(test, finitePairs(metrics[i]))
	}
	return out
}

// changes returns the differences of the pairs.
func changes(pairs []Pair) []Sample {
	out := make([]Sample, len(pairs))
	for i, p := range pairs {
		out[i] = Sample{p.New - p.Old, p.Cluster}
	}
	return out
}

// retest replaces the result of the sign-flip test with that of another test.
func (c *Comparison) retest(test Test, pairs []Pair) {
	if test == SignFlip || test == "" {
		return
	}
	samples := changes(pairs)
	diffs := make([]float64, len(pairs))
	for i, s := range samples {
		diffs[i] = s.Value
	}
	p, ci := 1.0, (*Interval)(nil)
	var warnings []Warning
	cannot := false
	why := Warning{Test: test}
	switch {
	case test == StudentT:
		t, ok := PairedT(samples, c.Level)
		switch {
		case !ok:
			why.Kind = TestNeedsTwoCases
		case t.Constant:
			why.Kind = TestNeedsVariation
		default:
			p, ci, c.Fewest = t.P, &t.CI, 0 // no number of clusters is too small to differ
			// Of independent cases those that all differ by the same have the largest t.
			k, g := float64(c.Differ), float64(c.Groups)
			cannot = c.Groups == c.N && k < g && 2*tSurvival(math.Sqrt(k*(g-1)/(g-k)), g-1) >= 1-c.Level
		}
	case len(clusters(samples)) < len(samples):
		why.Kind = TestNeedsIndependence
	case test == SignedRank:
		r, ok := Wilcoxon(diffs)
		if p = r.P; !ok {
			why.Kind = TestNeedsFinite
			break
		}
		c.Fewest = LeastClusters(1 - c.Level)
		cannot = c.Differ < c.Fewest
	default:
		newOnly, oldOnly := c.Wins, c.Losses
		r, ok := McNemar(newOnly, oldOnly, len(pairs))
		if p, ci = r.MidP, c.CI; !c.Hits || !ok {
			why.Kind = TestNeedsBinary
			break
		}
		warnings = []Warning{{Kind: Discordant, N: newOnly, M: oldOnly, Value: r.P}}
		cannot = c.Differ < c.Fewest
	}
	if why.Kind != 0 {
		c.Warnings = append(c.Warnings, why)
		return
	}
	c.Test, c.P, c.PAdjusted, c.CI, c.Tested = test, p, p, ci, nil
	c.detect(1 - c.Level)
	c.Warnings = warnings
	c.limit(c.Differ, c.Groups < c.N, cannot)
}
