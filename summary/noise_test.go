package summary_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/require"
	"github.com/assay-eval/assay/stats"
	"github.com/assay-eval/assay/summary"
)

// score is a metric whose range is open to both sides of what is simulated, so
// that nothing is cut off.
var score = assay.MetricInfo{Name: "score", Title: "Score", Better: "higher", Range: [2]float64{-10, 10}, Judged: true}

func scoreOf(seq int, id string, draw int, v float64) assay.Record {
	return assay.Record{
		Seq: seq, Case: assay.Case{ID: id, Question: "?"}.Repeated(draw), Attempts: 1, Response: &assay.Response{Answer: "so"},
		Scores: map[string]assay.Score{"score": assay.Value(v)},
	}
}

// simulated draws cases, their draws and further judgings of the first, with
// known standard deviations.
func simulated(rng *rand.Rand, cases, draws, judgings int, sdCases, sdTarget, sdJudge float64) (records, again []assay.Record) {
	for i := range cases {
		id := fmt.Sprintf("c%d", i)
		value := sdCases * rng.NormFloat64()
		for d := range draws {
			said := value + sdTarget*rng.NormFloat64()
			records = append(records, scoreOf(d*cases+i, id, d, said+sdJudge*rng.NormFloat64()))
			for k := range judgings - 1 {
				if d == 0 {
					again = append(again, scoreOf(i, id, draws+k, said+sdJudge*rng.NormFloat64()))
				}
			}
		}
	}
	return records, again
}

func plan(judgings int, model bool) summary.NoisePlan {
	return summary.NoisePlan{Effects: []float64{0.001, 0.005}, Effect: 0.005, Level: 0.95, Judgings: judgings, Model: model}
}

func TestNoiseRecoversComponents(t *testing.T) {
	t.Parallel()
	const cases = 2000
	// With 2,000 cases the standard error of a variance v of one degree of
	// freedom a case is v·√(2/2000) = 0.032v, of an sd half of that; 4 % is more
	// than twice the largest below.
	for _, test := range []struct{ cases, target, judge float64 }{
		{0.2, 0.1, 0.05}, {0.3, 0.05, 0.1}, {0.2, 0.1, 0}, {0.2, 0, 0.1}, {0, 0.1, 0.1},
	} {
		rng := rand.New(rand.NewPCG(7, uint64(1000*test.target+10*test.judge)))
		records, again := simulated(rng, cases, 3, 2, test.cases, test.target, test.judge)
		n := noiseOf([]assay.MetricInfo{score}, records, again, plan(2, true))
		m := n.Metrics[0]
		if m.Target == nil || m.Judge == nil || m.N != cases || m.Rejudged != cases {
			t.Fatalf("%+v: got %+v", test, m)
		}
		close := func(what string, got, want, by float64) {
			if math.Abs(got-want) > by {
				t.Errorf("%+v: %s %.4f, want %.4f ± %.4f", test, what, got, want, by)
			}
		}
		close("cases", m.Cases, test.cases, 0.04*max(test.cases, 0.5))
		total := math.Hypot(test.target, test.judge)
		close("within", m.Within, total, 0.04*total)
		close("judge", *m.Judge, test.judge, 0.04*total)
		// The target's variance is the difference of two, of 2 degrees of freedom
		// a case and of 1: its standard error is √((s⁴ + 2j⁴)/n).
		s2, j2 := total*total, test.judge*test.judge
		close("variance of the target", *m.Target**m.Target, test.target*test.target, 3*math.Sqrt((s2*s2+2*j2*j2)/cases))
		close("floor", m.Floor, 1.959964*math.Sqrt2*total/math.Sqrt(cases), 0.04*total)
	}
}

// The floor holds what it promises: of many pairs of runs of one system 5 % are
// further apart, and of their comparisons 5 % are shown.
func TestNoiseFloorIsWhatIsSeen(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(11, 1))
	beyond, shown, pairs := 0, 0, 0
	for range 30 {
		records, _ := simulated(rng, 60, 5, 1, 0.2, 0.1, 0)
		n := noiseOf([]assay.MetricInfo{score}, records, nil, plan(1, false))
		// Draws 0 and 1, 2 and 3 are independent pairs.
		for d := 0; d < 4; d += 2 {
			pairs++
			var diff float64
			for i := range 60 {
				diff += (records[5*i+d].Scores["score"].Value - records[5*i+d+1].Scores["score"].Value) / 60
			}
			if math.Abs(diff) > n.Metrics[0].Floor {
				beyond++
			}
		}
		shown += n.Metrics[0].Shown
		if n.Pairs != 10 {
			t.Fatalf("%d pairs of 5 draws, want 10", n.Pairs)
		}
	}
	// 60 pairs at 5 %: 3 ± 1.7; 300 comparisons, not independent: 15 ± 6 or so.
	if beyond > 9 {
		t.Errorf("%d of %d pairs are beyond the floor", beyond, pairs)
	}
	if shown < 2 || shown > 36 {
		t.Errorf("%d of 300 comparisons are shown", shown)
	}
}

func TestNoiseByHand(t *testing.T) {
	t.Parallel()
	// Cases 0.2, 0.4 and 1, 1 : s² = (0.02 + 0)/2 = 0.01; the first responses
	// judged again: 0.2 → 0.3, 1 → 1: j² = (0.005 + 0)/2 = 0.0025. Target
	// 0.0075. Means 0.3 and 1: variance 0.245, of the cases 0.245 − 0.01/2.
	records := []assay.Record{scoreOf(0, "a", 0, 0.2), scoreOf(1, "b", 0, 1), scoreOf(2, "a", 1, 0.4), scoreOf(3, "b", 1, 1)}
	again := []assay.Record{scoreOf(0, "a", 2, 0.3), scoreOf(1, "b", 2, 1)}
	p := plan(2, true)
	n := noiseOf([]assay.MetricInfo{score}, records, again, p)
	m := n.Metrics[0]
	near(t, "mean", m.Mean, 0.65)
	near(t, "within", m.Within, 0.1)
	near(t, "judge", *m.Judge, 0.05)
	near(t, "target", *m.Target, math.Sqrt(0.0075))
	near(t, "cases", m.Cases, math.Sqrt(0.24))
	near(t, "floor", m.Floor, stats.NoiseFloor(0.1, 2, 0.95))
	near(t, "largest", m.Largest, 0.1) // 0.6 against 0.7
	// 0.005 of a range of 20 is 0.1: (1.959964 + 0.841621)²·2·0.01/0.01 = 15.7.
	if m.Needs[1] != (summary.Need{Effect: 0.005, Cases: 16, Repeat: 8}) || n.Repeat != 8 {
		t.Errorf("needs %+v, repeat %d", m.Needs, n.Repeat)
	}
	if m.Changed != 1 || len(n.Flaky) != 1 || n.Flaky[0].Case != "a" || n.Silent() {
		t.Errorf("got %+v", n)
	}
	if a := english.NoiseAdvice(n); len(a) != 1 || !strings.Contains(a[0], "--repeat 8 in both versions, or 16 cases once") {
		t.Errorf("advice %q", a)
	}
}

func TestNoiseWorked(t *testing.T) {
	t.Parallel()
	var in struct{ Scores [][]float64 }
	var want struct{ Within, Between float64 }
	require.Worked(t, "judge_noise_components", &in, &want)
	var records []assay.Record
	for k := range in.Scores[0] {
		for i, passes := range in.Scores {
			records = append(records, scoreOf(len(records), fmt.Sprint(i), k, passes[k]))
		}
	}
	m := noiseOf([]assay.MetricInfo{score}, records, nil, plan(1, true)).Metrics[0]
	near(t, "within", m.Within*m.Within, want.Within)
	near(t, "between", m.Cases*m.Cases, want.Between)
}

func TestNoiseThatCannotBeSplit(t *testing.T) {
	t.Parallel()
	records := []assay.Record{scoreOf(0, "a", 0, 0.2), scoreOf(1, "b", 0, 1), scoreOf(2, "a", 1, 0.4), scoreOf(3, "b", 1, 1)}
	n := noiseOf([]assay.MetricInfo{score}, records, nil, plan(1, true))
	if m := n.Metrics[0]; m.Judge != nil || m.Target != nil || m.Floor == 0 {
		t.Errorf("a model that judged once: %+v", m)
	}
	if a := english.NoiseAdvice(n); !strings.Contains(a[len(a)-1], "--rejudge 2") {
		t.Errorf("advice %q", a)
	}
	// Formulas say the same each time: all that moves is the target.
	m := noiseOf([]assay.MetricInfo{score}, records, nil, plan(1, false)).Metrics[0]
	if m.Judge == nil || *m.Judge != 0 || math.Abs(*m.Target-0.1) > 1e-9 {
		t.Errorf("no model: %+v", m)
	}
}

func TestNoNoise(t *testing.T) {
	t.Parallel()
	// The mean of three times 0.7 is not 0.7 to the last digit.
	records := []assay.Record{scoreOf(0, "a", 0, 0.7), scoreOf(1, "b", 0, 1), scoreOf(2, "a", 1, 0.7), scoreOf(3, "b", 1, 1),
		scoreOf(4, "a", 2, 0.7), scoreOf(5, "b", 2, 1)}
	n := noiseOf([]assay.MetricInfo{score}, records, nil, plan(1, false))
	m := n.Metrics[0]
	if !n.Silent() || m.Floor != 0 || m.Within != 0 || m.Shown != 0 || n.Repeat != 1 || len(n.Flaky) != 0 {
		t.Errorf("got %+v", n)
	}
	want := []string{
		"Nothing changed between draws: asking each case once is enough, and a difference between two versions is not noise.",
	}
	if d := cmp.Diff(want, english.NoiseAdvice(n)); d != "" {
		t.Error(d)
	}
	// Without draws there is nothing to say.
	if n := noiseOf([]assay.MetricInfo{score}, records[:2], nil, plan(1, false)); n.Draws != 0 || n.Metrics != nil {
		t.Errorf("got %+v", n)
	}
}

// A metric that no case has, or that failed in all draws but one, has no noise
// and does no harm.
func TestNoiseOfNothing(t *testing.T) {
	t.Parallel()
	records := []assay.Record{scoreOf(0, "a", 0, 0.2), scoreOf(1, "a", 1, 0.4)}
	records[1].Scores["score"] = assay.Score{State: assay.JudgeError, Reason: "unreadable"}
	n := noiseOf([]assay.MetricInfo{score, ndcg}, records, nil, plan(1, false))
	for _, m := range n.Metrics {
		if m.N != 0 || m.Floor != 0 || m.Needs != nil {
			t.Errorf("got %+v", m)
		}
	}
	if n.Silent() {
		t.Error("a score that comes and goes is noise")
	}
}
