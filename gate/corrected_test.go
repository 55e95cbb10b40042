package gate_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/gate"
	"github.com/assay-eval/assay/report/words"
	"github.com/assay-eval/assay/summary"
)

// lenient is a run of 100 cases that all have the score 1, and labels of which the first n are given: every fourth is 0.
func lenient(n int) (recorded, summary.RunLabels) {
	l := summary.RunLabels{Values: map[string]float64{}}
	var scores []any
	for i := range 100 {
		scores = append(scores, 1)
		if i < n {
			l.Values[fmt.Sprint("q", i+1)] = min(float64(i%4), 1)
		}
	}
	return one(ratio("faithfulness"), scores...), l
}

func judgeWith(t *testing.T, r recorded, p gate.Policy, rule string) (gate.Outcome, gate.Result) {
	t.Helper()
	written, err := gate.ParseRule(rule)
	if err != nil {
		t.Fatal(err)
	}
	p.Rules = []gate.Rule{written}
	o, ok := p.Judge(r.run())
	if !ok {
		t.Fatal("no gate")
	}
	return o, o.Results[0]
}

// The corrected mean of 40 labels, of which 30 are 1, is 0.75: the standard error is √(0.1875·(40/39)/40) = 0.0693. The
// one-sided bounds at 95 % are those of a mean in 0…1, wider than the 0.633 and 0.867 of Student's t.
func TestCorrectedRule(t *testing.T) {
	run, labels := lenient(40)
	p := gate.Policy{Corrected: true, Labels: &gate.Labels{Metric: "faithfulness", Runs: map[string]summary.RunLabels{"20260101-run": labels}}}
	for _, tt := range []struct {
		rule string
		want gate.Verdict
		says string
	}{
		{"faithfulness >= 0.7", gate.Pass, ""},
		{"faithfulness >= 0.8", gate.Inconclusive, "as people would judge it 0.75, one-sided bounds 0.6175"},
		{"faithfulness >= 0.9", gate.Fail, "by 40 labels, misses 0.9"},
		{"faithfulness <= 0.9", gate.Pass, ""},
		{"faithfulness <= 0.7", gate.Inconclusive, "too few labels"},
		{"faithfulness <= 0.6", gate.Fail, "misses 0.6"},
		{"faithfulness.lower >= 0.59", gate.Pass, ""},
		{"faithfulness.lower >= 0.7", gate.Inconclusive, "too few labels"},
		{"faithfulness.lower >= 0.9", gate.Fail, "misses 0.9"},
		{"faithfulness.upper >= 0.8", gate.Pass, ""},
		{"faithfulness.upper >= 0.9", gate.Fail, "misses 0.9"},
		// The one-sided bound is 0.8506; the interval that is shown ends above.
		{"faithfulness.upper <= 0.86", gate.Inconclusive, "0.75, bounds "},
	} {
		o, got := judgeWith(t, run, p, tt.rule)
		reason := got.Reason.In(words.English)
		if got.Verdict != tt.want || !strings.Contains(reason, tt.says) || got.Noise != (tt.want == gate.Inconclusive) {
			t.Errorf("%s: %s %q, noise %v; want %s %q", tt.rule, got.Verdict, reason, got.Noise, tt.want, tt.says)
		}
		if o.Verdict != tt.want || !got.People.Decides || got.People.Verdict != tt.want {
			t.Errorf("%s: gate %s, people %+v", tt.rule, o.Verdict, got.People)
		}
	}
	// Rules on single cases are not corrected.
	if _, got := judgeWith(t, run, p, "faithfulness.min >= 1"); got.People != nil || got.Verdict != gate.Pass {
		t.Errorf("a rule on single cases: %+v", got)
	}
}

func TestCorrectedRuleBesideTheJudge(t *testing.T) {
	run, labels := lenient(40)
	p := gate.Policy{Labels: &gate.Labels{Metric: "faithfulness", Runs: map[string]summary.RunLabels{"20260101-run": labels}}}
	o, got := judgeWith(t, run, p, "faithfulness >= 0.9")
	if got.Verdict != gate.Pass || got.People.Verdict != gate.Fail || got.People.Judge != gate.Pass {
		t.Errorf("%+v", got)
	}
	warned := words.Findings(words.English, o.Warnings)
	if want := "faithfulness >= 0.9: PASS by the judge, FAIL as people would judge it; the judge decides"; len(warned) == 0 ||
		warned[len(warned)-1] != want {
		t.Errorf("warnings %q, want %q", warned, want)
	}
	// Without labels of this run, a rule that people should decide is open, and the gate does not pass.
	p.Corrected, p.Labels.Runs = true, map[string]summary.RunLabels{"another": labels}
	o, got = judgeWith(t, run, p, "faithfulness >= 0.9")
	if got.Verdict != gate.Inconclusive || o.Passed(false) ||
		!strings.HasPrefix(got.Reason.In(words.English), "no label is known to be of this run") {
		t.Errorf("%s %q", got.Verdict, got.Reason.In(words.English))
	}
	// Where the judge decides, a warning says so.
	p.Corrected = false
	o, got = judgeWith(t, run, p, "faithfulness >= 0.9")
	warned = words.Findings(words.English, o.Warnings)
	if got.Verdict != gate.Pass || len(warned) == 0 ||
		!strings.HasPrefix(warned[len(warned)-1], "faithfulness >= 0.9: what people would say is not known: no label") {
		t.Errorf("%s, warnings %q", got.Verdict, warned)
	}
}

// TestLabelsByName: labels call a run by its id, or by a name that no other run has.
func TestLabelsByName(t *testing.T) {
	run, all := lenient(40)
	run.Header.Name = "nightly"
	old := one(ratio("faithfulness"), 0, 1)
	old.Header.ID, old.Header.Name = "before", "nightly"
	// Cases 1 to 20 by the id of the run, the others by its name.
	some, rest := summary.RunLabels{Values: map[string]float64{}}, summary.RunLabels{Values: map[string]float64{}}
	for i := 1; i <= 40; i++ {
		id := fmt.Sprint("q", i)
		to := some
		if i > 20 {
			to = rest
		}
		to.Values[id] = all.Values[id]
	}
	by := func(id, name summary.RunLabels) map[string]summary.RunLabels {
		return map[string]summary.RunLabels{"20260101-run": id, "nightly": name}
	}
	for _, tt := range []struct {
		name     string
		runs     map[string]summary.RunLabels
		own      bool
		baseline *gate.Baseline
		labels   int
		lack     summary.Lack
	}{
		{"both", by(some, rest), true, nil, 40, ""},
		{"a name of several runs", by(some, rest), false, nil, 20, summary.LacksLabels},
		{"a name of several runs alone", by(summary.RunLabels{}, all), false, nil, 0, summary.LacksRun},
		{"the name of the baseline, too", by(summary.RunLabels{}, all), true, baseline(t, old), 0, summary.LacksRun},
		{"the same answers under both", by(all, rest), true, nil, 0, summary.LacksOne},
	} {
		p := gate.Policy{Corrected: true, Baseline: tt.baseline,
			Labels: &gate.Labels{Metric: "faithfulness", Runs: tt.runs, Own: map[string]bool{"nightly": tt.own}}}
		_, got := judgeWith(t, run, p, "faithfulness >= 0.7")
		if got.People.Labels != tt.labels || got.People.Lack != tt.lack || (got.Verdict == gate.Pass) != (tt.lack == "") {
			t.Errorf("%s: %s %+v", tt.name, got.Verdict, got.People)
		}
	}
}

// TestCorrectedThreshold: the threshold of a metric is a rule, too.
func TestCorrectedThreshold(t *testing.T) {
	run, labels := lenient(40)
	limit := 0.9
	m := ratio("faithfulness")
	m.Threshold = &limit
	run.Header.Metrics = []assay.MetricInfo{m}
	run.Summary = summary.Of(run.Header.Metrics, run.run().Cases, 0.95)
	p := gate.Policy{Corrected: true, Labels: &gate.Labels{Metric: "faithfulness", Runs: map[string]summary.RunLabels{"20260101-run": labels}}}
	o, ok := p.Judge(run.run())
	if !ok || o.Verdict != gate.Fail || len(o.Warnings) != 1 {
		t.Errorf("%+v", o)
	}
}

// TestCorrectedDifference: the judge sees every answer get better, and people that three of four did.
func TestCorrectedDifference(t *testing.T) {
	run, labels := lenient(40)
	var zeros []any
	was := summary.RunLabels{Values: map[string]float64{}}
	for i := range 100 {
		zeros = append(zeros, 0)
		was.Values[fmt.Sprint("q", i+1)] = 0
	}
	old := one(ratio("faithfulness"), zeros...)
	old.Header.ID = "before"
	p := gate.Policy{Baseline: baseline(t, old), Corrected: true,
		Labels: &gate.Labels{Metric: "faithfulness", Runs: map[string]summary.RunLabels{"20260101-run": labels, "before": was}}}
	_, got := judgeWith(t, run, p, "faithfulness vs baseline >= 0.9")
	if got.Verdict != gate.Fail || got.People.Judge != gate.Pass || math.Abs(got.People.Mean-0.75) > 1e-9 || got.People.Labels != 40 {
		t.Errorf("%s %+v", got.Verdict, got.People)
	}
	if _, got = judgeWith(t, run, p, "faithfulness vs baseline >= 0.7"); got.Verdict != gate.Pass {
		t.Errorf("%s %+v", got.Verdict, got.People)
	}
	delete(p.Labels.Runs, "before")
	if _, got = judgeWith(t, run, p, "faithfulness vs baseline >= 0.7"); got.Verdict != gate.Inconclusive ||
		got.People.OneSided != [2]int{0, 40} {
		t.Errorf("%s %+v", got.Verdict, got.People)
	}
}

// TestCorrectedBaselineOfDraws: the labels of a baseline's run are of draws, and count by their mean, as those of the run
// do: on 40 cases half of the old draws and three of four new answers are right, by people.
func TestCorrectedBaselineOfDraws(t *testing.T) {
	run, labels := lenient(40)
	was := summary.RunLabels{Values: map[string]float64{}}
	var zeros []any
	for i := range 100 {
		zeros = append(zeros, 0)
		was.Values[fmt.Sprint("q", i+1)] = 0
		was.Values[fmt.Sprint("q", i+1, "#2")] = 1
	}
	old := one(ratio("faithfulness"), zeros...)
	old.Header.ID = "before"
	p := gate.Policy{Baseline: baseline(t, old), Corrected: true,
		Labels: &gate.Labels{Metric: "faithfulness", Runs: map[string]summary.RunLabels{"20260101-run": labels, "before": was}}}
	_, got := judgeWith(t, run, p, "faithfulness vs baseline >= 0.1")
	if got.People.Corrected == nil || math.Abs(got.People.Mean-0.25) > 1e-9 || got.People.Labels != 40 {
		t.Errorf("%s %+v", got.Verdict, got.People)
	}
	// The target failed on the first 20 cases of the baseline, of which people can say nothing.
	for i := range 20 {
		p.Baseline.Failed = append(p.Baseline.Failed, fmt.Sprint("q", i+1))
	}
	_, got = judgeWith(t, run, p, "faithfulness vs baseline >= 0.1")
	// 80/100·(3/4 − 1/2) + 20/100·3/4
	if got.People.Corrected == nil || math.Abs(got.People.Mean-0.35) > 1e-9 {
		t.Errorf("%s %+v", got.Verdict, got.People)
	}
}
