package metric_test

import (
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/metric"
)

// ranged is a metric of a range and a direction.
func ranged(name string, lo, hi float64, better metric.Direction) metric.Metric {
	return metric.Metric{Name: name, Def: &metric.Def{Name: name, Title: name, Range: [2]float64{lo, hi}, Better: better, Version: 1}}
}

func four() []metric.Metric {
	return []metric.Metric{
		ranged("faithfulness", 0, 1, metric.Higher), ranged("answer_relevance", 0, 1, metric.Higher),
		ranged("context_precision", 0, 1, metric.Higher), ranged("context_recall", 0, 1, metric.Higher),
	}
}

func TestComposite(t *testing.T) {
	t.Parallel()
	c, err := metric.NewComposite(four(), metric.DefaultWeights())
	if err != nil {
		t.Fatal(err)
	}
	failed := assay.Score{State: assay.JudgeError, Reason: "unreadable"}
	bounded := assay.Score{State: assay.JudgeError, Lower: 0.5, Upper: 0.75}
	for _, test := range []struct {
		name             string
		scores           [4]assay.Score
		state            assay.State
		value, low, high float64
		reason           string
	}{
		// 0.4·0.5 + 0.2·1 + 0.2·0 + 0.2·0.75 = 0.55
		{"all", [4]assay.Score{assay.Value(0.5), assay.Value(1), assay.Value(0), assay.Value(0.75)}, assay.Scored, 0.55, 0.55, 0.55, ""},
		// (0.4·0.5 + 0.2·1 + 0.2·0) / 0.8 = 0.5
		{"one does not apply", [4]assay.Score{assay.Value(0.5), assay.Value(1), assay.Value(0), assay.None("no label")}, assay.Scored, 0.5, 0.5,
			0.5, "without context_recall"},
		// without faithfulness 0.2·(1+0+0.75) = 0.35, with it between 0.35 and 0.75
		{"one is open", [4]assay.Score{failed, assay.Value(1), assay.Value(0), assay.Value(0.75)}, assay.JudgeError, 0, 0.35, 0.75,
			"faithfulness could not be scored"},
		// 0.35 + 0.4·0.5 … 0.35 + 0.4·0.75
		{"one is bounded", [4]assay.Score{bounded, assay.Value(1), assay.Value(0), assay.Value(0.75)}, assay.JudgeError, 0, 0.55, 0.65,
			"faithfulness"},
		{"the target failed", [4]assay.Score{{State: assay.TargetError}, {State: assay.TargetError}, {State: assay.TargetError},
			{State: assay.TargetError}}, assay.TargetError, 0, 0, 0, ""},
		{"none applies", [4]assay.Score{assay.None(""), assay.None(""), {State: assay.Abstained}, assay.None("")}, assay.NotApplicable, 0, 0, 0,
			"none of"},
	} {
		scores := map[string]assay.Score{}
		for i, m := range four() {
			scores[m.Name] = test.scores[i]
		}
		got := c.Score(scores)
		if got.State != test.state || math.Abs(got.Value-test.value) > 1e-12 || math.Abs(got.Lower-test.low) > 1e-12 ||
			math.Abs(got.Upper-test.high) > 1e-12 || !strings.Contains(got.Reason, test.reason) {
			t.Errorf("%s: %+v, want %v %v in %v…%v because %q", test.name, got, test.state, test.value, test.low, test.high, test.reason)
		}
	}
}

// What is better when it is lower counts the other way round, and a metric of
// 0…100 counts as one of 0…1.
func TestCompositeOfOtherScales(t *testing.T) {
	t.Parallel()
	c, err := metric.NewComposite([]metric.Metric{ranged("noise", 0, 1, metric.Lower), ranged("bleu", 0, 100, metric.Higher)},
		map[string]float64{"noise": 1, "bleu": 3})
	if err != nil {
		t.Fatal(err)
	}
	// 0.25·(1−0.2) + 0.75·0.4 = 0.5
	if got := c.Score(map[string]assay.Score{"noise": assay.Value(0.2), "bleu": assay.Value(40)}); math.Abs(got.Value-0.5) > 1e-12 {
		t.Errorf("composite %v, want 0.5", got.Value)
	}
	if w := c.Weight("bleu"); w != 0.75 {
		t.Errorf("share %v, want 0.75", w)
	}
}

func TestCompositeProblems(t *testing.T) {
	t.Parallel()
	open := ranged("wer", 0, math.MaxFloat64, metric.Lower)
	for _, test := range []struct {
		weights map[string]float64
		want    string
	}{
		{map[string]float64{"faithfulness": -1}, "weight of faithfulness: -1"},
		{map[string]float64{"faithfulness": math.NaN()}, "weight of faithfulness: NaN"},
		{map[string]float64{"faithfulness": math.Inf(1)}, "weight of faithfulness: +Inf"},
		{map[string]float64{"wer": 1}, "no worst or no best value"},
		{map[string]float64{"nothing": 1}, `weight of "nothing": the run has no such metric`},
		{map[string]float64{"faithfulness": 0}, "a composite of nothing"},
		{nil, "a composite of nothing"},
	} {
		if _, err := metric.NewComposite(append(four(), open), test.weights); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%v: %v, want %q", test.weights, err, test.want)
		}
	}
}

// A composite lies between its lowest and its highest part, and its bounds hold
// whatever the open parts turn out to be.
func TestCompositeBounds(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		weights := map[string]float64{}
		for _, m := range four() {
			weights[m.Name] = rapid.Float64Range(0.01, 50).Draw(t, "weight")
		}
		c, err := metric.NewComposite(four(), weights)
		if err != nil {
			t.Fatal(err)
		}
		known, open := map[string]assay.Score{}, map[string]assay.Score{}
		lowest, highest := 1.0, 0.0
		for _, m := range four() {
			v := rapid.Float64Range(0, 1).Draw(t, "value")
			known[m.Name], open[m.Name] = assay.Value(v), assay.Value(v)
			lowest, highest = min(lowest, v), max(highest, v)
			if rapid.Bool().Draw(t, "open") {
				open[m.Name] = assay.Score{State: assay.JudgeError}
			}
		}
		whole, partly := c.Score(known), c.Score(open)
		if whole.Value < lowest-1e-9 || whole.Value > highest+1e-9 {
			t.Fatalf("composite %v outside of %v…%v", whole.Value, lowest, highest)
		}
		if whole.Value < partly.Lower-1e-9 || whole.Value > partly.Upper+1e-9 {
			t.Fatalf("composite %v outside of the bounds %v…%v", whole.Value, partly.Lower, partly.Upper)
		}
	})
}
