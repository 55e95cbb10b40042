package gate_test

import (
	"math"
	"strings"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/columns"
	"github.com/assay-eval/assay/gate"
	"github.com/assay-eval/assay/summary"
)

// summarise gives the summary of one metric with a threshold over scores.
func summarise(better string, threshold float64, scores ...assay.Score) summary.Summary {
	m := assay.MetricInfo{Name: "m", Title: "M", Better: better, Range: [2]float64{0, 1}, Threshold: &threshold}
	var records []assay.Record
	for i, s := range scores {
		r := assay.Record{Seq: i, Case: assay.Case{ID: string(rune('a' + i))}, Response: &assay.Response{},
			Scores: map[string]assay.Score{"m": s}}
		if s.State == assay.TargetError {
			r.Response, r.Failure = nil, &assay.Failure{Kind: "timeout"}
		}
		records = append(records, r)
	}
	return summary.Of([]assay.MetricInfo{m}, columns.Of(records), 0.95)
}

func TestThresholds(t *testing.T) {
	t.Parallel()
	unread := assay.Score{State: assay.JudgeError, Reason: "unreadable"}
	failed := assay.Score{State: assay.TargetError}
	for _, test := range []struct {
		name      string
		better    string
		threshold float64
		scores    []assay.Score
		verdict   gate.Verdict
		reason    string
	}{
		{"reached", "higher", 0.5, []assay.Score{assay.Value(0.5), assay.Value(0.6)}, gate.Pass, ""},
		{"reached exactly, but for rounding", "higher", 0.3, []assay.Score{assay.Value(0.1), assay.Value(0.2), assay.Value(0.6)}, gate.Pass, ""},
		{"missed", "higher", 0.6, []assay.Score{assay.Value(0.5), assay.Value(0.6)}, gate.Fail, "0.55 misses 0.6"},
		{"lower is better", "lower", 0.5, []assay.Score{assay.Value(0.4)}, gate.Pass, ""},
		{"lower is better, missed", "lower", 0.3, []assay.Score{assay.Value(0.4)}, gate.Fail, "0.4 misses 0.3"},
		// (0.9 + 0.9 + x)/3 lies between 0.6 and 0.933.
		{"what is not known could decide", "higher", 0.8, []assay.Score{assay.Value(0.9), assay.Value(0.9), unread}, gate.Inconclusive,
			"1 of 3 cases could not be scored"},
		{"what is not known cannot help", "higher", 0.95, []assay.Score{assay.Value(0.9), assay.Value(0.9), unread}, gate.Fail, "misses 0.95"},
		{"what is not known cannot hurt", "higher", 0.6, []assay.Score{assay.Value(0.9), assay.Value(0.9), unread}, gate.Pass, ""},
		{"a target that fails scores 0", "higher", 0.8, []assay.Score{assay.Value(1), failed}, gate.Fail, "0.5 misses 0.8"},
		{"no case", "higher", 0.1, []assay.Score{assay.None("no label")}, gate.Fail, "measured on no case"},
		{"nothing at all", "higher", 0.1, nil, gate.Fail, "measured on no case"},
		{"no case could be scored", "higher", 0.1, []assay.Score{unread}, gate.Inconclusive, "the only case could not be scored"},
	} {
		o, ok := gate.Policy{MaxMissing: 1}.Judge(recorded{Summary: summarise(test.better, test.threshold, test.scores...)}.run())
		if !ok || o.Verdict != test.verdict || len(o.Results) != 1 || o.Results[0].Verdict != test.verdict ||
			!strings.Contains(because(o.Results[0]), test.reason) {
			t.Errorf("%s: %+v, want %s because %q", test.name, o, test.verdict, test.reason)
		}
	}
}

// One failure fails the gate, whatever is inconclusive beside it, in any order.
func TestVerdictOfAll(t *testing.T) {
	t.Parallel()
	unread := assay.Score{State: assay.JudgeError}
	pass, fail, open := summarise("higher", 0.1, assay.Value(1)), summarise("higher", 0.9, assay.Value(0.5)), summarise("higher", 0.5, unread)
	for _, test := range []struct {
		parts []summary.Summary
		want  gate.Verdict
	}{
		{[]summary.Summary{pass, pass}, gate.Pass},
		{[]summary.Summary{pass, open}, gate.Inconclusive},
		{[]summary.Summary{open, pass}, gate.Inconclusive},
		{[]summary.Summary{open, fail, pass}, gate.Fail},
		{[]summary.Summary{fail, open}, gate.Fail},
	} {
		var s summary.Summary
		for _, p := range test.parts {
			s.Metrics = append(s.Metrics, p.Metrics...)
		}
		if o, _ := (gate.Policy{MaxMissing: 1}).Judge(recorded{Summary: s}.run()); o.Verdict != test.want {
			t.Errorf("verdict %s of %+v, want %s", o.Verdict, o.Results, test.want)
		}
	}
	if _, ok := (gate.Policy{}).Judge(recorded{Summary: summary.Summary{Metrics: []summary.Metric{{}}}}.run()); ok {
		t.Error("a summary without thresholds has a gate")
	}
}

// What a rule comes to in the end, and whether the gate lets the run through: only
// too few cases are forgiven, and not when that is forbidden.
func TestFinal(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		verdict         gate.Verdict
		noise           bool
		lenient, strict gate.Verdict
	}{
		{gate.Pass, false, gate.Pass, gate.Pass},
		{gate.Fail, false, gate.Fail, gate.Fail},
		{gate.Fail, true, gate.Fail, gate.Fail},
		{gate.Inconclusive, true, gate.Inconclusive, gate.Fail},
		{gate.Inconclusive, false, gate.Fail, gate.Fail},
		{"", true, gate.Fail, gate.Fail},
	} {
		r := gate.Result{Verdict: test.verdict, Noise: test.noise}
		if lenient, strict := r.Final(false), r.Final(true); lenient != test.lenient || strict != test.strict {
			t.Errorf("%q, noise %v: %q and strictly %q, want %q and %q", test.verdict, test.noise, lenient, strict, test.lenient, test.strict)
		}
		o := gate.Outcome{Verdict: test.verdict, Results: []gate.Result{{Verdict: gate.Pass}, r}}
		if o.Passed(false) != (test.lenient != gate.Fail) || o.Passed(true) != (test.strict == gate.Pass) {
			t.Errorf("%q, noise %v: the gate lets it through: %v, strictly %v", test.verdict, test.noise, o.Passed(false), o.Passed(true))
		}
		if o.Refused = []gate.Finding{gate.Text("other cases")}; test.verdict != gate.Pass && o.Passed(false) {
			t.Errorf("%q, noise %v: passes with a refused baseline", test.verdict, test.noise)
		}
	}
}

// An end of an interval is lowest with what is not known at its worst: eight cases of 0.1 and
// two that are open.
func TestBoundIsLowestAtTheWorst(t *testing.T) {
	t.Parallel()
	run := one(ratio("m"), 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, unread, unread)
	res := judge(t, gate.Policy{}, run, "m.lower > 0.05")
	if res.Verdict != gate.Inconclusive || res.Bounds == nil || math.Abs(res.Bounds.Lo-0.045961) > 1e-6 {
		t.Errorf("%+v from %+v, want what is inconclusive from 0.046", res, res.Bounds)
	}
}
