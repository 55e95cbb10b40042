package summary_test

import (
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/summary"
)

// TestCheckOf: a case passes only if something showed it to be right. A missed expected
// document fails a critical case unless its answer is right.
func TestCheckOf(t *testing.T) {
	t.Parallel()
	documents := assay.Want{Documents: map[string]int{"a": 1, "b": 1}}
	both := assay.Want{Answers: []string{"24"}, Documents: documents.Documents}
	found := func(found, of, missed int) *assay.Retrieved {
		return &assay.Retrieved{K: 10, Found: found, Of: of, Missed: missed}
	}
	reference := assay.Want{Answers: []string{"24 days"}}
	no := false
	for _, test := range []struct {
		name     string
		want     assay.Want
		answer   assay.Correctness
		response *assay.Response
		found    *assay.Retrieved
		state    summary.CheckState
		basis    summary.Basis
		// plain is the state of the same case if it is not critical.
		plain summary.CheckState
	}{
		{"right", reference, assay.AnswerRight, &assay.Response{}, nil, summary.CheckPassed, summary.ByAnswer, summary.CheckPassed},
		{"wrong", reference, assay.AnswerWrong, &assay.Response{}, nil, summary.CheckFailed, summary.ByAnswer, summary.CheckFailed},
		{"right, evidence missed", both, assay.AnswerRight, &assay.Response{}, found(0, 2, 2), summary.CheckPassed, summary.ByAnswer,
			summary.CheckPassed},
		{"not known", reference, assay.AnswerUnknown, &assay.Response{}, nil, summary.Unchecked, summary.ByAnswer, summary.Unchecked},
		{"not known, evidence found", both, assay.AnswerUnknown, &assay.Response{}, found(2, 2, 0), summary.Unchecked, summary.ByAnswer,
			summary.Unchecked},
		{"not known, evidence missed", both, assay.AnswerUnknown, &assay.Response{}, found(0, 2, 2), summary.CheckFailed,
			summary.ByEvidence, summary.CheckFailed},
		{"not known, a document missed", both, assay.AnswerUnknown, &assay.Response{}, found(1, 2, 1), summary.CheckFailed,
			summary.ByEvidence, summary.Unchecked},
		{"no response", reference, "", nil, nil, summary.CheckFailed, summary.ByFailure, summary.CheckFailed},
		{"nothing labelled", assay.Want{}, assay.AnswerUnknown, &assay.Response{}, nil, summary.Unchecked, summary.ByNothing,
			summary.Unchecked},
		{"no answer in the corpus", assay.Want{Answerable: &no}, assay.AnswerUnknown, &assay.Response{}, nil, summary.Unchecked,
			summary.ByAnswer, summary.Unchecked},
		{"evidence, and an answer", documents, assay.AnswerUnknown, &assay.Response{}, found(2, 2, 0), summary.Unchecked, summary.ByAnswer,
			summary.Unchecked},
		{"evidence", documents, "", &assay.Response{NoAnswer: true}, found(2, 2, 0), summary.CheckPassed, summary.ByEvidence,
			summary.CheckPassed},
		{"no evidence", documents, "", &assay.Response{NoAnswer: true}, found(0, 2, 2), summary.CheckFailed, summary.ByEvidence,
			summary.CheckFailed},
		{"half of the documents", documents, "", &assay.Response{NoAnswer: true}, found(1, 2, 1), summary.CheckFailed, summary.ByEvidence,
			summary.Unchecked},
		{"half of the passages", documents, "", &assay.Response{NoAnswer: true}, found(1, 2, 0), summary.Unchecked, summary.ByEvidence,
			summary.Unchecked},
		{"a target that only retrieves", both, "", &assay.Response{NoAnswer: true}, found(2, 2, 0), summary.CheckPassed,
			summary.ByEvidence, summary.CheckPassed},
	} {
		r := assay.Record{Case: assay.Case{ID: "q", Critical: true, Want: test.want}, Answer: test.answer, Response: test.response,
			Retrieved: test.found}
		if got := summary.CheckOf(r); got.State != test.state || got.Basis != test.basis {
			t.Errorf("%s: %+v, want %s by %s", test.name, got, test.state, test.basis)
		}
		r.Judging = &assay.Spending{Failed: 1}
		if got := summary.CheckOf(r); got.JudgeFailed != (test.state == summary.Unchecked) {
			t.Errorf("%s, the judge failed: %+v", test.name, got)
		}
		divided := r
		divided.Judging, divided.Scores = &assay.Spending{Calls: 2}, map[string]assay.Score{"binary_correctness": {State: assay.JudgeError, Reason: "divided"}}
		if got := summary.CheckOf(divided); got.JudgeFailed != (test.state == summary.Unchecked) {
			t.Errorf("%s, the judges are divided: %+v", test.name, got)
		}
		s := of(nil, []assay.Record{r}, 0.95)
		if s.Critical != 1 || (s.CriticalFailed == 1) != (test.state == summary.CheckFailed) ||
			(s.CriticalUnchecked == 1) != (test.state == summary.Unchecked) || (s.CriticalPassed() == 1) != (test.state == summary.CheckPassed) {
			t.Errorf("%s: counts %+v", test.name, s)
		}
		r.Case.Critical = false
		if got := summary.CheckOf(r); got.State != test.plain {
			t.Errorf("%s, not critical: %+v, want %s", test.name, got, test.plain)
		}
	}
}
