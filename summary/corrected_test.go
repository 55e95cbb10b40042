package summary_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/stats"
	"github.com/assay-eval/assay/summary"
)

// labelledPairs returns n pairs of which every third is better by the judge, and their labels: people see no difference where
// the judge sees one in every second case.
func labelledPairs(n int) (pairs []stats.Pair, old, new map[string]float64) {
	old, new = map[string]float64{}, map[string]float64{}
	for i := range n {
		p := stats.Pair{Old: 0, New: 0, Case: fmt.Sprint("q", i)}
		if i%3 == 0 {
			p.New = 1
		}
		pairs = append(pairs, p)
		old[p.Case] = 0
		if i%6 == 0 {
			new[p.Case] = 1
		} else {
			new[p.Case] = 0
		}
	}
	return pairs, old, new
}

func TestCorrectDifference(t *testing.T) {
	pairs, old, new := labelledPairs(120)
	c := summary.CorrectDifference(pairs, old, new, nil, 0.95)
	if c.Corrected == nil || c.Labels != 120 {
		t.Fatalf("%+v", c)
	}
	// All are labelled: the mean of the labels, 20 of 120.
	if math.Abs(c.Mean-20.0/120) > 1e-12 || math.Abs(c.Judge-40.0/120) > 1e-12 {
		t.Errorf("mean %v, judge %v", c.Mean, c.Judge)
	}
	m := assay.MetricInfo{Better: "higher"}
	if d := c.Direction(m); d != summary.Better {
		t.Errorf("direction %q", d)
	}
	if d := c.Direction(assay.MetricInfo{Better: "lower"}); d != summary.Worse {
		t.Errorf("direction of a metric whose low values are better: %q", d)
	}
}

func TestCorrectDifferenceLacks(t *testing.T) {
	pairs, old, new := labelledPairs(120)
	few := map[string]float64{}
	for i := range 12 {
		few[fmt.Sprint("q", i)] = new[fmt.Sprint("q", i)]
	}
	c := summary.CorrectDifference(pairs, old, few, nil, 0.95)
	if c.Corrected != nil || c.Lack != summary.LacksLabels || c.More != 18 || c.Labels != 12 || c.OneSided != [2]int{108, 0} {
		t.Errorf("12 labels: %+v", c)
	}
	if c := summary.CorrectDifference(pairs, nil, new, nil, 0.95); c.Labels != 0 || c.More != 30 || c.OneSided != [2]int{0, 120} {
		t.Errorf("labels of the new run alone: %+v", c)
	}
	if c := summary.CorrectDifference(pairs[:110], old, new, nil, 0.95); c.Unscored != 10 {
		t.Errorf("%d labelled cases without a score, want 10", c.Unscored)
	}
	equal := map[string]float64{}
	for i := range 60 {
		equal[fmt.Sprint("q", i)] = 0
	}
	// People never see a difference, and the judge's weight is 0.
	if c := summary.CorrectDifference(pairs, old, equal, nil, 0.95); c.Lack != summary.LacksSpread {
		t.Errorf("equal labels: %+v", c)
	}
	// q0 is in the upper stratum by the scores.
	if c := summary.CorrectDifference(pairs, old, new, map[string]int{"q0": 0}, 0.95); c.Lack != summary.LacksStrata {
		t.Errorf("other strata: %+v", c)
	}
	if c := summary.CorrectDifference(pairs, old, new, map[string]int{"q0": 1}, 0.95); !c.Stratified || len(c.Strata) != 2 {
		t.Errorf("strata: %+v", c)
	}
}

func TestOverrules(t *testing.T) {
	m := assay.MetricInfo{Better: "higher"}
	shown := stats.Comparison{N: 100, Diff: 0.1, PAdjusted: 0.01, Level: 0.95}
	open := stats.Comparison{N: 100, Diff: 0.1, PAdjusted: 0.3, Level: 0.95}
	of := func(lo, hi float64) summary.Correction {
		return summary.Correction{Corrected: &stats.Corrected{Mean: (lo + hi) / 2, CI: stats.Interval{Lo: lo, Hi: hi}}}
	}
	for _, tt := range []struct {
		c    summary.Correction
		d    stats.Comparison
		want bool
	}{
		{of(0.01, 0.1), shown, false}, {of(-0.01, 0.1), shown, true}, {of(-0.1, -0.01), shown, true},
		{of(-0.01, 0.1), open, false}, {of(0.01, 0.1), open, true}, {summary.Correction{}, shown, false},
	} {
		if got := tt.c.Overrules(m, tt.d); got != tt.want {
			t.Errorf("%+v overrules %+v: %v", tt.c, tt.d, got)
		}
	}
}
