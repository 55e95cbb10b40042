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

// share is a metric from 0 to 1.
var share = assay.MetricInfo{Name: "support", Better: "higher", Range: [2]float64{0, 1}}

func labels(l map[string]float64) summary.Labelled { return summary.Labelled{Labels: l} }

func TestCorrectDifference(t *testing.T) {
	pairs, old, new := labelledPairs(120)
	c := summary.CorrectDifference(share, pairs, labels(old), labels(new), 0.95)
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
	c := summary.CorrectDifference(share, pairs, labels(old), labels(few), 0.95)
	if c.Corrected != nil || c.Lack != summary.LacksLabels || c.More != 18 || c.Labels != 12 || c.OneSided != [2]int{108, 0} {
		t.Errorf("12 labels: %+v", c)
	}
	if c := summary.CorrectDifference(share, pairs, labels(nil), labels(new), 0.95); c.Labels != 0 || c.More != 30 || c.OneSided != [2]int{0, 120} {
		t.Errorf("labels of the new run alone: %+v", c)
	}
	if c := summary.CorrectDifference(share, pairs[:110], labels(old), labels(new), 0.95); c.Unscored != 10 {
		t.Errorf("%d labelled cases without a score, want 10", c.Unscored)
	}
	equal := map[string]float64{}
	for i := range 60 {
		equal[fmt.Sprint("q", i)] = 0
	}
	// People never see a difference, and the judge's weight is 0. The range says how far other labels may be; 60 that are
	// all 0 leave 0.051 on both sides.
	if c := summary.CorrectDifference(share, pairs, labels(old), labels(equal), 0.95); c.Corrected == nil || c.Lambda != 0 || c.Mean != 0 ||
		math.Abs(c.CI.Lo+0.0515) > 5e-4 || math.Abs(c.CI.Hi-0.0515) > 5e-4 {
		t.Errorf("equal labels: %+v", c)
	}
	open := assay.MetricInfo{Name: "m", Better: "higher", Range: [2]float64{0, math.MaxFloat64}}
	if c := summary.CorrectDifference(open, pairs, labels(old), labels(equal), 0.95); c.Corrected != nil || c.Lack != summary.LacksSpread {
		t.Errorf("equal labels without a largest one: %+v", c)
	}
	// q0 is in the upper stratum by the scores.
	if c := summary.CorrectDifference(share, pairs, labels(old), summary.Labelled{Labels: new, Strata: map[string]int{"q0": 0}}, 0.95); c.Lack != summary.LacksStrata {
		t.Errorf("other strata: %+v", c)
	}
	if c := summary.CorrectDifference(share, pairs, labels(old), summary.Labelled{Labels: new, Strata: map[string]int{"q0": 1}}, 0.95); !c.Stratified || len(c.Strata) != 2 {
		t.Errorf("strata: %+v", c)
	}
}

// On 40 of 120 cases the new run failed, so that nobody can label its answer. Of the other 80, 40 are labelled in both runs
// and people see 10 better; of the 40, a quarter of the old answers are right by people. By hand:
//
//	80/120·10/40 − 40/120·1/4 = 1/12
func TestCorrectDifferenceOfFailures(t *testing.T) {
	var pairs []stats.Pair
	old, new, failed := map[string]float64{}, map[string]float64{}, map[string]float64{}
	for i := range 120 {
		id := fmt.Sprint("q", i)
		pairs = append(pairs, stats.Pair{Old: 1, New: 1, Case: id})
		switch {
		case i < 40:
			pairs[i].New, failed[id] = 0, 1
		case i < 80:
			old[id], new[id] = 0, max(0, float64(1-(i-40)/10))
		}
	}
	sides := func() (a, b summary.Labelled) { return labels(old), summary.Labelled{Labels: new, Failed: failed} }
	a, b := sides()
	if c := summary.CorrectDifference(share, pairs, a, b, 0.95); c.Lack != summary.LacksFailed || c.Failed != 40 || c.More != 2 {
		t.Errorf("failures of which no old answer is labelled: %+v", c)
	}
	for i := range 20 {
		old[fmt.Sprint("q", i)] = float64(i % 4 / 3)
	}
	a, b = sides()
	c := summary.CorrectDifference(share, pairs, a, b, 0.95)
	if c.Corrected == nil || c.Labels != 60 || c.N != 60 || c.OneSided != [2]int{} {
		t.Fatalf("%+v", c)
	}
	if math.Abs(c.Mean-1.0/12) > 1e-12 {
		t.Errorf("mean %v, want 1/12", c.Mean)
	}
	// Where both failed, people see what the scores say, without being asked.
	a.Failed = map[string]float64{}
	for i := range 40 {
		a.Failed[fmt.Sprint("q", i)] = 1
		delete(old, fmt.Sprint("q", i))
		pairs[i].Old = 0
	}
	if c := summary.CorrectDifference(share, pairs, a, b, 0.95); c.Corrected == nil || c.Labels != 40 || math.Abs(c.Mean-80.0/120/4) > 1e-12 {
		t.Errorf("both failed: %+v", c)
	}
}

// A run of 100 cases failed on 50; of the others, 40 are labelled, and 30 of those are right: people would give 3/8.
func TestCorrectMeanOfFailures(t *testing.T) {
	var values []summary.Value
	of := summary.Labelled{Labels: map[string]float64{}, Failed: map[string]float64{}}
	for i := range 100 {
		v := summary.Value{Case: fmt.Sprint("q", i), Mean: 1, Known: 1, Draws: 1}
		switch {
		case i >= 50:
			v.Mean, v.Failed = 0, 1
			of.Failed[v.Case] = 1
		case i < 40:
			of.Labels[v.Case] = min(1, float64(i%4))
		}
		values = append(values, v)
	}
	c := summary.CorrectMean(share, values, of, 0.95)
	if c.Corrected == nil || c.N != 40 || c.Items != 100 || math.Abs(c.Mean-0.375) > 1e-12 {
		t.Errorf("%+v", c)
	}
	// One of two draws failed: people's label is of the other one alone.
	values, of.Failed = values[:40], map[string]float64{}
	for _, v := range values {
		of.Failed[v.Case] = 0.5
	}
	if c := summary.CorrectMean(share, values, of, 0.95); c.Corrected == nil || math.Abs(c.Mean-0.375) > 1e-12 {
		t.Errorf("half of the draws failed: %+v", c)
	}
}

// Scores that a file rounded are in the strata of the scores themselves: 1/3 and its 13 decimals tie.
func TestCorrectedStrataOfRoundedScores(t *testing.T) {
	t.Parallel()
	pairs := func(round func(i int) float64) (out []stats.Pair) {
		for i := range 80 {
			out = append(out, stats.Pair{Case: fmt.Sprint("q", i), New: float64(i%8) / 3, Old: round(i)})
		}
		return out
	}
	exact := pairs(func(i int) float64 { return float64(i%8)/3 - float64(i%5)/7 })
	file := pairs(func(i int) float64 { return math.Round((float64(i%8)/3-float64(i%5)/7)*1e13) / 1e13 })
	scores := make([]float64, len(exact))
	for i := range scores {
		scores[i] = float64(i % 5)
	}
	old, new := map[string]float64{}, summary.Labelled{Labels: map[string]float64{}, Strata: map[string]int{}}
	for i, k := range stats.Strata(scores) {
		id := fmt.Sprint("q", i)
		old[id], new.Labels[id], new.Strata[id] = float64(i%3)/2, float64(i%2), k
	}
	for name, of := range map[string][]stats.Pair{"exact": exact, "file": file} {
		if c := summary.CorrectDifference(share, of, labels(old), new, 0.95); c.Lack != "" || !c.Stratified {
			t.Errorf("%s: %s", name, c.Lack)
		}
	}
}

// Cases that were drawn from the strata of a comparison correct it with the runs in either order.
func TestCorrectedStrataEitherWay(t *testing.T) {
	var pairs, turned []stats.Pair
	var scores []float64
	old, new := map[string]float64{}, map[string]float64{}
	for i := range 150 {
		// Differences of 0 to 1, most of them small: the quarters are not symmetric.
		d := math.Pow(float64(i%50)/50, 3)
		id := fmt.Sprint("q", i)
		pairs = append(pairs, stats.Pair{New: d, Case: id})
		turned = append(turned, stats.Pair{Old: d, Case: id})
		scores = append(scores, d)
		old[id], new[id] = 0, float64(i%3/2)
	}
	a, b := labels(old), summary.Labelled{Labels: new, Strata: map[string]int{}}
	for i, k := range stats.Strata(scores) {
		b.Strata[fmt.Sprint("q", i)] = k
	}
	one, other := summary.CorrectDifference(share, pairs, a, b, 0.95), summary.CorrectDifference(share, turned, b, a, 0.95)
	if one.Corrected == nil || other.Corrected == nil || !other.Stratified || math.Abs(one.Mean+other.Mean) > 1e-12 ||
		math.Abs(one.SE-other.SE) > 1e-12 {
		t.Errorf("%+v, and the other way round %+v", one, other)
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
