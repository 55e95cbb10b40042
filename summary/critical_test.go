package summary_test

import (
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/summary"
)

// TestCheckOf: a critical case passes only if something showed it to be right, and a
// threshold on a mean shows nothing.
func TestCheckOf(t *testing.T) {
	t.Parallel()
	limit := 0.99
	metrics := []assay.MetricInfo{
		{Name: "hit@3", Better: "higher", Range: [2]float64{0, 1}}, {Name: "recall@3", Better: "higher", Range: [2]float64{0, 1}},
		{Name: "recall@10", Better: "higher", Range: [2]float64{0, 1}},
		{Name: "token_f1", Better: "higher", Range: [2]float64{0, 1}, Threshold: &limit},
	}
	documents := func(n int) assay.Want {
		w := assay.Want{Documents: map[string]int{"other": 0}}
		for i := range n {
			w.Documents[string(rune('a'+i))] = 1
		}
		return w
	}
	found := func(small, large float64) map[string]assay.Score {
		return map[string]assay.Score{"recall@3": assay.Value(small), "recall@10": assay.Value(large), "hit@3": assay.Value(1)}
	}
	metrics = append(metrics, assay.MetricInfo{Name: "recall@10(level=2)", Better: "higher", Range: [2]float64{0, 1}})
	graded := func(ones, twos int) assay.Want {
		w := documents(ones)
		for i := range twos {
			w.Documents[string(rune('A'+i))] = 2
		}
		return w
	}
	atLevel := func(v float64) map[string]assay.Score {
		return map[string]assay.Score{"recall@10(level=2)": assay.Value(v)}
	}
	reference := assay.Want{Answers: []string{"24 days"}}
	low := map[string]assay.Score{"token_f1": assay.Value(0.9)}
	no := false
	for _, test := range []struct {
		name     string
		want     assay.Want
		answer   assay.Correctness
		response *assay.Response
		scores   map[string]assay.Score
		state    summary.CheckState
		basis    summary.Basis
		k        int
	}{
		{"right, below the threshold", reference, assay.AnswerRight, &assay.Response{}, low, summary.CheckPassed, summary.ByAnswer, 0},
		{"wrong, without a threshold", reference, assay.AnswerWrong, &assay.Response{}, nil, summary.CheckFailed, summary.ByAnswer, 0},
		{"not known", reference, assay.AnswerUnknown, &assay.Response{}, nil, summary.Unchecked, summary.ByAnswer, 0},
		{"not known, evidence found", assay.Want{Answers: []string{"24"}, Documents: map[string]int{"a": 1}}, assay.AnswerUnknown,
			&assay.Response{}, found(1, 1), summary.Unchecked, summary.ByAnswer, 0},
		{"no response", reference, "", nil, nil, summary.CheckFailed, summary.ByFailure, 0},
		{"nothing labelled", assay.Want{}, assay.AnswerUnknown, &assay.Response{}, low, summary.Unchecked, summary.ByNothing, 0},
		{"no answer in the corpus", assay.Want{Answerable: &no}, assay.AnswerUnknown, &assay.Response{}, nil, summary.Unchecked,
			summary.ByAnswer, 0},
		{"evidence at the largest cut-off", documents(1), assay.AnswerUnknown, &assay.Response{}, found(0, 1), summary.CheckPassed,
			summary.ByEvidence, 10},
		{"no evidence", documents(1), "", &assay.Response{NoAnswer: true}, found(0, 0), summary.CheckFailed, summary.ByEvidence, 10},
		{"half of the evidence", documents(2), "", &assay.Response{NoAnswer: true}, found(0.5, 0.5), summary.Unchecked,
			summary.ByEvidence, 10},
		{"all that ten ranks can hold", documents(20), "", &assay.Response{NoAnswer: true}, found(0.1, 0.5), summary.CheckPassed,
			summary.ByEvidence, 10},
		{"a target that only retrieves", assay.Want{Answers: []string{"24"}, Documents: map[string]int{"a": 1}}, "",
			&assay.Response{NoAnswer: true}, found(1, 1), summary.CheckPassed, summary.ByEvidence, 10},
		{"one is enough without recall", documents(2), "", &assay.Response{NoAnswer: true},
			map[string]assay.Score{"hit@3": assay.Value(1), "recall@3": assay.None("?")}, summary.CheckPassed, summary.ByEvidence, 3},
		{"all of the better grade", graded(20, 2), "", &assay.Response{NoAnswer: true}, atLevel(1), summary.CheckPassed, summary.ByEvidence, 10},
		{"half of the better grade", graded(20, 2), "", &assay.Response{NoAnswer: true}, atLevel(0.5), summary.Unchecked,
			summary.ByEvidence, 10},
		{"all of the better grade that ten ranks can hold", graded(0, 20), "", &assay.Response{NoAnswer: true}, atLevel(0.5),
			summary.CheckPassed, summary.ByEvidence, 10},
	} {
		r := assay.Record{Case: assay.Case{ID: "q", Critical: true, Want: test.want}, Answer: test.answer, Response: test.response,
			Scores: test.scores}
		got := summary.CheckOf(metrics, r)
		if got.State != test.state || got.Basis != test.basis || got.K != test.k {
			t.Errorf("%s: %+v, want %s by %s, k %d", test.name, got, test.state, test.basis, test.k)
		}
		s := of(metrics, []assay.Record{r}, 0.95)
		if s.Critical != 1 || (s.CriticalFailed == 1) != (test.state == summary.CheckFailed) ||
			(s.CriticalUnchecked == 1) != (test.state == summary.Unchecked) || (s.CriticalPassed() == 1) != (test.state == summary.CheckPassed) {
			t.Errorf("%s: counts %+v", test.name, s)
		}
	}
}
