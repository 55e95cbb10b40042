package cli_test

import (
	"context"
	"fmt"
	"math"
	"path/filepath"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/llm"
	"github.com/assay-eval/assay/report"
)

// chaosMetrics ask every kind of question that needs no further labels.
const chaosMetrics = judgedMetrics + ",hallucination,noise_sensitivity,context_utilization,answer_correctness_f1,context_relevance"

// TestChaos disturbs a judged run in every way that a provider knows: replies in
// fences and prose, with missing and repeated ids, the wrong nonce, cut off or
// empty, rate limits with and without a wait, server errors, hangs and closed
// connections. Runs are in a bubble with a clock of its own, so that hangs and
// waits take no time.
func TestChaos(t *testing.T) {
	t.Parallel()
	const cases = 20
	var calm *report.Report
	synctest.Test(t, func(t *testing.T) { calm, _ = chaos(t, cases, "simulate: true\n", "4") })
	for rec := range calm.Records() {
		for name, s := range rec.Scores {
			if s.State == assay.JudgeError {
				t.Fatalf("undisturbed run: case %s: %s: %s", rec.Case.ID, name, s.Reason)
			}
		}
	}
	seen, failures, equal := map[llm.FakeFault]int{}, 0, 0
	for _, c := range []struct {
		seed    int
		rate    float64
		retries string
	}{{1, 0.3, "4"}, {2, 0.3, "4"}, {3, 0.3, "1"}, {4, 0.5, "4"}, {5, 0.6, "1"}, {6, 0.9, "1"}} {
		t.Run(fmt.Sprintf("seed %d, rate %v, %s retries", c.seed, c.rate, c.retries), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				rep, calls := chaos(t, cases, fmt.Sprintf("simulate: true\nfaults: {rate: %v, seed: %d, retry_after: 3s}\n", c.rate, c.seed),
					c.retries)
				for _, call := range calls {
					seen[call.Fault]++
				}
				total := spent(held(rep))
				failures += total.Failed
				equal += compareChaos(t, calm, rep)
				if least, most := implied(calls); total.Failed < least || total.Failed > most {
					t.Errorf("the records count %d questions without an answer, the provider's log implies %d to %d", total.Failed, least, most)
				}
				if n := replied(calls); total.Calls != n {
					t.Errorf("the records count %d calls, the provider's log %d replies", total.Calls, n)
				}
				t.Logf("%d calls, %d replies, %d questions without an answer", len(calls), total.Calls, total.Failed)
			})
		})
	}
	for _, f := range llm.FakeFaultKinds {
		if seen[f] == 0 {
			t.Errorf("no run met the fault %s", f)
		}
	}
	if failures == 0 || equal == 0 {
		t.Errorf("%d questions failed and %d cases were untouched: the test shows little", failures, equal)
	}
	t.Logf("faults met: %v; %d cases of the disturbed runs had no failed question", seen, equal)
}

// chaos makes one run. Retries are waited for on the bubble's clock.
func chaos(t *testing.T, cases int, script, retries string) (*report.Report, []llm.FakeCall) {
	t.Helper()
	dir := t.TempDir()
	writeRecorded(t, dir, cases)
	rep, err := judged(context.Background(), t, dir, script+"log: calls.jsonl\n",
		settings{"metrics": chaosMetrics, "judge-timeout": "20s", "judge-retries": retries})
	if err != nil {
		t.Fatal(err)
	}
	if rep.Cases.Len() != cases {
		t.Fatalf("%d records, want %d", rep.Cases.Len(), cases)
	}
	return rep, logOf(t, filepath.Join(dir, "calls.jsonl"))
}

// compareChaos compares the scores of a disturbed run with those of an undisturbed one.
// A case without a reported problem must have identical scores; these cases are
// counted. In the others, the bounds of a score must contain the undisturbed one, and a
// missing score must have a reason.
func compareChaos(t *testing.T, calm, rep *report.Report) (untouched int) {
	t.Helper()
	for i, rec := range held(rep) {
		want := held(calm)[i]
		if !amiss(rec) {
			untouched++
			if d := cmp.Diff(want.Scores, rec.Scores); d != "" {
				t.Errorf("case %s: nothing is said to be amiss, and the scores differ from the undisturbed run (-want +got):\n%s", rec.Case.ID, d)
			}
		}
		for name, s := range rec.Scores {
			w := want.Scores[name]
			switch {
			case math.IsNaN(s.Value) || math.IsNaN(s.Lower) || math.IsNaN(s.Upper):
				t.Errorf("case %s: %s is not a number: %+v", rec.Case.ID, name, s)
			case s.State == assay.JudgeError && (s.Reason == "" || s.Value != 0):
				t.Errorf("case %s: %s: a judge error without a reason, or with a value: %+v", rec.Case.ID, name, s)
			case s.State == assay.JudgeError:
			case s.State != w.State:
				t.Errorf("case %s: %s: %+v, want the state of the undisturbed run, %+v, or a judge error", rec.Case.ID, name, s, w)
			case s.State == assay.Scored && (w.Value < s.Lower-1e-12 || w.Value > s.Upper+1e-12):
				t.Errorf("case %s: %s: %v within %v to %v: the undisturbed run has %v", rec.Case.ID, name, s.Value, s.Lower, s.Upper, w.Value)
			}
		}
	}
	return untouched
}

// amiss reports whether the run says that a case was not completely judged.
func amiss(rec assay.Record) bool {
	if rec.Judging.Failed > 0 || len(rec.Warnings) > 0 {
		return true
	}
	for _, s := range rec.Scores {
		if s.State == assay.JudgeError || s.Lower != s.Upper || s.Reason != "" {
			return true
		}
	}
	return false
}

// A turn is a question, or the request to repair its reply, with the outcome.
type turn struct {
	operation string
	replied   bool
	fault     llm.FakeFault
}

// useless reports whether the turn returned nothing usable. It is unsure about a
// truncated reply, which may contain complete items, and about wrong ids that the model
// itself chooses.
func (u turn) useless() (yes, unsure bool) {
	switch u.fault {
	case llm.FaultWrongNonce, llm.FaultEmpty:
		return true, false
	case llm.FaultTruncated:
		return false, true
	case llm.FaultMissingID, llm.FaultDuplicateID:
		return false, u.operation == "claims" || u.operation == "questions"
	}
	return !u.replied, false
}

// implied counts the questions that must have been left without an answer, by
// what the provider did: those of which no turn had a reply that could be used.
// most counts those of which it is unsure as well.
func implied(calls []llm.FakeCall) (least, most int) {
	questions := map[string]map[string]turn{}
	for _, c := range calls {
		if questions[c.Data] == nil {
			questions[c.Data] = map[string]turn{}
		}
		if _, known := questions[c.Data][c.Content]; !known || c.Replied() {
			questions[c.Data][c.Content] = turn{c.Operation, c.Replied(), c.Fault}
		}
	}
	for _, turns := range questions {
		useless, unsure := 0, 0
		for _, u := range turns {
			switch no, maybe := u.useless(); {
			case no:
				useless++
			case maybe:
				unsure++
			}
		}
		if useless == len(turns) {
			least++
		}
		if useless+unsure == len(turns) {
			most++
		}
	}
	return least, most
}
