package report_test

import (
	"math"
	"strings"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/gate"
	"github.com/assay-eval/assay/report"
)

// A target that leaves out what is empty does not score better than one that says so.
func TestPartsThatSomeResponsesLack(t *testing.T) {
	t.Parallel()
	h := assay.Header{Metrics: []assay.MetricInfo{
		{Name: "hit@1", Better: "higher", Range: [2]float64{0, 1}, Weight: 1}, {Name: "token_f1", Better: "higher", Range: [2]float64{0, 1}},
		{Name: assay.CompositeName, Better: "higher", Range: [2]float64{0, 1}},
	}}
	full := &assay.Response{Answer: "a", Passages: []assay.Passage{{Text: "one"}}}
	of := func(lacking *assay.Response, hit, f1 assay.Score) *report.Report {
		var records []assay.Record
		for i := range 6 {
			r := assay.Record{Seq: i, Case: assay.Case{ID: string(rune('a' + i)), Want: assay.Want{Answers: []string{"Paris"}}}, Response: full,
				Scores: map[string]assay.Score{"hit@1": assay.Value(1), "token_f1": assay.Value(1), assay.CompositeName: assay.Value(1)}}
			if i >= 4 {
				r.Response, r.Scores["hit@1"], r.Scores["token_f1"] = lacking, hit, f1
			}
			records = append(records, r)
		}
		rep, err := report.Of(h, report.Loaded(records))
		if err != nil {
			t.Fatal(err)
		}
		return rep
	}
	rule, err := gate.ParseRule("hit@1 >= 0.9")
	if err != nil {
		t.Fatal(err)
	}
	rep := of(&assay.Response{Answer: "a"}, assay.None(assay.NoPassages), assay.Value(1))
	rep.Judge(gate.Policy{Rules: []gate.Rule{rule}})
	for i, failed := range []int{2, 0, 2} {
		if m := rep.Summary.Metrics[i]; m.Failed != failed || m.NotApplicable != 0 {
			t.Errorf("%s: %d not scored, %d n/a", m.Name, m.Failed, m.NotApplicable)
		}
	}
	if rep.Gate.Verdict != gate.Inconclusive {
		t.Errorf("gate: %v", rep.Gate.Verdict)
	}
	if all := strings.Join(rep.Summary.Warnings, "\n"); !strings.Contains(all, "hit@1 could not be computed for 2 of 6 cases: the target reports no passages for this case, but") {
		t.Error(all)
	}
	for r, err := range rep.Records() {
		if s := r.Scores["hit@1"]; err != nil || (r.Seq >= 4) != (s.State == assay.JudgeError) {
			t.Errorf("%d: %+v %v", r.Seq, s, err)
		}
	}
	again := report.From(h, rep.Cases, rep.Derived(), rep.Source)
	if r, err := again.Record(4); err != nil || r.Scores["hit@1"].State != assay.JudgeError {
		t.Errorf("read again: %+v %v", r.Scores["hit@1"], err)
	}
	// A missing answer counts as empty: its scores say what its outcome says.
	rep = of(&assay.Response{Passages: full.Passages, NoAnswer: true}, assay.Value(1), assay.None(assay.NoAnswer))
	if m := rep.Summary.Metrics[1]; m.N != 6 || m.Failed != 0 || math.Abs(m.Mean-4.0/6) > 1e-9 || rep.Summary.Answers.Wrong != 2 {
		t.Errorf("answers: mean %v of %d, %d not scored, %+v", m.Mean, m.N, m.Failed, rep.Summary.Answers)
	}
	if all := strings.Join(rep.Summary.Warnings, "\n"); !strings.Contains(all, "2 responses: "+assay.CountsAsEmpty) {
		t.Error(all)
	}
	if r, err := rep.Record(4); err != nil || r.Scores[assay.CompositeName].State != assay.Scored || r.Scores[assay.CompositeName].Value != 1 {
		t.Errorf("composite of hit@1 alone: %+v %v", r.Scores[assay.CompositeName], err)
	}
	// A label that is missing, and a target that never reports passages, are no open question.
	if m := of(full, assay.None("the case has no expected documents"), assay.Value(1)).Summary.Metrics[0]; m.Failed != 0 {
		t.Errorf("labels: %d not scored", m.Failed)
	}
	full.Passages = nil
	if m := of(full, assay.None(assay.NoPassages), assay.Value(1)).Summary.Metrics[0]; m.Failed != 0 {
		t.Errorf("never reported: %d not scored", m.Failed)
	}
}

// An empty list of sources is what was retrieved if another response of the run has sources. If none
// has, retrieval is not known: it has neither a score nor a share in what was lost.
func TestListsOfSourcesThatAreEmpty(t *testing.T) {
	t.Parallel()
	h := assay.Header{Metrics: []assay.MetricInfo{
		{Name: "hit@1", Better: "higher", Range: [2]float64{0, 1}, Weight: 1}, {Name: "token_f1", Better: "higher", Range: [2]float64{0, 1}},
		{Name: assay.CompositeName, Better: "higher", Range: [2]float64{0, 1}},
	}}
	for name, c := range map[string]struct {
		first, empty assay.Response
		known        bool
	}{
		"none has sources":  {assay.Response{Passages: []assay.Passage{}, Cites: true}, assay.Response{Passages: []assay.Passage{}, Cites: true}, false},
		"one has sources":   {assay.Response{Passages: []assay.Passage{{ID: "d"}}}, assay.Response{Passages: []assay.Passage{}, Cites: true}, true},
		"lists of contexts": {assay.Response{Passages: []assay.Passage{}}, assay.Response{Passages: []assay.Passage{}}, true},
	} {
		var records []assay.Record
		for i, resp := range []assay.Response{c.first, c.empty} {
			resp.Answer = "a"
			records = append(records, assay.Record{Seq: i, Response: &resp, Answer: assay.AnswerWrong,
				Case:        assay.Case{ID: string(rune('a' + i)), Question: "q?", Want: assay.Want{Documents: map[string]int{"d": 1}, Answers: []string{"b"}}},
				Scores:      map[string]assay.Score{"hit@1": assay.Value(0), "token_f1": assay.Value(0), assay.CompositeName: assay.Value(0)},
				Attribution: &assay.Attribution{Facts: []assay.Fact{{ID: "d", Lost: assay.StageRetrieve, Left: assay.FactAbsent}}}})
		}
		rep, err := report.Of(h, report.Loaded(records))
		if err != nil {
			t.Fatal(err)
		}
		for i, n := range []int{2, 2, 2} {
			if !c.known && i != 1 {
				n = 0
			}
			if m := rep.Summary.Metrics[i]; m.N != n || m.NotApplicable != 2-n {
				t.Errorf("%s: %s of %d cases, %d n/a, want %d", name, m.Name, m.N, m.NotApplicable, n)
			}
		}
		last := rep.Cases.Record(1)
		if got := last.Attribution != nil; got != c.known {
			t.Errorf("%s: attributed %v, want %v", name, got, c.known)
		}
		if all := strings.Join(rep.Summary.Warnings, "\n"); strings.Contains(all, assay.NoSources) == c.known {
			t.Errorf("%s: %s", name, all)
		}
	}
}

// A case without an answer is as right as one with an empty answer, if the target answers others:
// it fails as a critical case, whatever was retrieved and measured.
func TestMissingAnswerCountsAsEmpty(t *testing.T) {
	t.Parallel()
	h := assay.Header{Metrics: []assay.MetricInfo{{Name: "hit@1", Better: "higher", Range: [2]float64{0, 1}}}}
	passages, no := []assay.Passage{{Text: "t", Document: "d"}}, false
	of := func(rest, second assay.Response, want assay.Want) (assay.Correctness, int) {
		var records []assay.Record
		for i, resp := range []assay.Response{rest, second} {
			want.Documents = map[string]int{"d": 1}
			resp.Passages = passages
			records = append(records, assay.Record{Seq: i, Case: assay.Case{ID: string(rune('a' + i)), Question: "q?", Want: want, Critical: i == 1},
				Response: &resp, Scores: map[string]assay.Score{"hit@1": assay.Value(1)}})
		}
		rep := report.New(h, records)
		last := rep.Cases.Record(1)
		return rep.Check(last).Outcome(), rep.Summary.CriticalFailed
	}
	labelled := assay.Want{Answers: []string{"x"}}
	for what, c := range map[string]struct {
		rest, second assay.Response
		want         assay.Want
		outcome      assay.Correctness
		failed       int
	}{
		"others have an answer": {assay.Response{Answer: "x"}, assay.Response{NoAnswer: true}, labelled, assay.AnswerWrong, 1},
		"a search engine":       {assay.Response{NoAnswer: true}, assay.Response{NoAnswer: true}, labelled, assay.AnswerRight, 0},
		"not answerable":        {assay.Response{Answer: "x"}, assay.Response{NoAnswer: true}, assay.Want{Answerable: &no}, assay.AnswerRight, 0},
	} {
		if outcome, failed := of(c.rest, c.second, c.want); outcome != c.outcome || failed != c.failed {
			t.Errorf("%s: %s, %d failed, want %s, %d", what, outcome, failed, c.outcome, c.failed)
		}
	}
}

// A failed case measures no part that the target never reports.
func TestFailuresOfPartsThatAreNeverReported(t *testing.T) {
	t.Parallel()
	h := assay.Header{Metrics: []assay.MetricInfo{
		{Name: "hit@1", Better: "higher", Range: [2]float64{0, 1}}, {Name: "token_f1", Better: "higher", Range: [2]float64{0, 1}}}}
	failed := assay.Score{State: assay.TargetError, Reason: "the target gave no response"}
	for reason, response := range map[string]assay.Response{
		assay.NoPassages: {Answer: "x"}, assay.NoNames: {Answer: "x", Passages: []assay.Passage{{Text: "t"}}},
	} {
		rep := report.New(h, []assay.Record{
			{Seq: 0, Case: assay.Case{ID: "a"}, Response: &response,
				Scores: map[string]assay.Score{"hit@1": assay.None(reason), "token_f1": assay.Value(1)}},
			{Seq: 1, Case: assay.Case{ID: "b"}, Failure: &assay.Failure{Kind: "failed"}, Scores: map[string]assay.Score{"hit@1": failed, "token_f1": failed}},
		})
		if hit, f1 := rep.Summary.Metrics[0], rep.Summary.Metrics[1]; hit.N != 0 || hit.NotApplicable != 2 || f1.N != 2 {
			t.Errorf("%s: hit@1 n %d, n/a %d, token_f1 n %d; want 0, 2, 2", reason, hit.N, hit.NotApplicable, f1.N)
		}
		if all := strings.Join(rep.Summary.Warnings, "\n"); !strings.Contains(all, "hit@1 measured on no case: "+reason) {
			t.Error(all)
		}
	}
}
