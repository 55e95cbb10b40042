package stats_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/assay-eval/assay/stats"
)

// TestFewestThatShow has n pairs that all change in the same direction, by themselves or in n groups
// of two, which is the most that n can say. Of the 2^n outcomes of coins two are as large, this one
// and its opposite, and none is larger: p = 2/2^n, or where all values are 0 or 1 half of that
// (mid-p). So six are needed at 95 %, 2/64 = 0.03125, and five of 0 and 1, 1/32 = 0.03125. An
// interval exists from there on, and leaves out 0 then.
func TestFewestThatShow(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		n      int
		values string
		p      float64
		shows  bool
	}{
		{2, "other", 2. / 4, false}, {2, "0 and 1", 1. / 4, false},
		{4, "other", 2. / 16, false}, {4, "0 and 1", 1. / 16, false},
		{5, "other", 2. / 32, false}, {5, "0 and 1", 1. / 32, true},
		{6, "other", 2. / 64, true}, {6, "0 and 1", 1. / 64, true},
	} {
		for _, size := range []int{1, 2} {
			var pairs []stats.Pair
			for g := range test.n {
				for range size {
					p := stats.Pair{New: 1}
					if test.values == "other" {
						p.New = 0.5 + float64(g)/100
					}
					if size > 1 {
						p.Cluster = fmt.Sprint("g", g)
					}
					pairs = append(pairs, p)
				}
			}
			c := compare(pairs, 0.95, 1)
			what := fmt.Sprintf("%d groups of %d with values of %s", test.n, size, test.values)
			if math.Abs(c.P-test.p) > 1e-12 {
				t.Errorf("%s: p = %v, want %v", what, c.P, test.p)
			}
			if shown := c.CI != nil && c.CI.Lo > 0; shown != test.shows || (c.CI != nil) != test.shows {
				t.Errorf("%s: interval %v, want one above 0: %v", what, c.CI, test.shows)
			}
			if cannot := slices.Contains(c.Warnings, stats.Warning{Kind: stats.CannotBeSignificant, N: test.n, Groups: size > 1}); cannot == test.shows {
				t.Errorf("%s: warned that nothing can be shown: %v, want %v", what, cannot, !test.shows)
			}
		}
	}
}
