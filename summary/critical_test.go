package summary_test

import (
	"slices"
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
		{"documents that no passage names, and an answer", documents, assay.AnswerUnknown, &assay.Response{}, nil, summary.Unchecked,
			summary.ByAnswer, summary.Unchecked},
		{"documents that no passage names", documents, "", &assay.Response{NoAnswer: true}, nil, summary.Unchecked, summary.ByNothing,
			summary.Unchecked},
		{"evidence", documents, "", &assay.Response{NoAnswer: true}, found(2, 2, 0), summary.CheckPassed, summary.ByEvidence,
			summary.CheckPassed},
		{"no evidence", documents, "", &assay.Response{NoAnswer: true}, found(0, 2, 2), summary.CheckFailed, summary.ByEvidence,
			summary.CheckFailed},
		{"half of the documents", documents, "", &assay.Response{NoAnswer: true}, found(1, 2, 1), summary.CheckFailed, summary.ByEvidence,
			summary.Unchecked},
		{"half of the passages", documents, "", &assay.Response{NoAnswer: true}, found(1, 2, 0), summary.Unchecked, summary.ByEvidence,
			summary.Unchecked},
		{"evidence, and an answer that was not read", documents, assay.AnswerUnknown, &assay.Response{NoAnswer: true}, found(2, 2, 0),
			summary.Unchecked, summary.ByAnswer, summary.Unchecked},
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

// TestOwnChecksDecide: the checks of a case decide wherever their bounds do. A check without a result
// that could still make the case wrong leaves it unchecked, whatever was retrieved.
func TestOwnChecksDecide(t *testing.T) {
	t.Parallel()
	open := func(lower, upper float64) assay.Score {
		return assay.Score{State: assay.JudgeError, Lower: lower, Upper: upper, Reason: "1 of 2 checks have no result", Evidence: []assay.Evidence{
			{Kind: "failed", Text: "contains \"b\""}, {Kind: "no result", Text: "latency < 2"}, {Kind: "not counted", Text: "contains \"c\""}}}
	}
	most := assay.Score{State: assay.Scored, Value: 1, Lower: 0.8, Upper: 1}
	unproven := assay.Value(1)
	unproven.Evidence = []assay.Evidence{{Kind: assay.KindUnproven, Text: "length"}}
	for _, test := range []struct {
		name   string
		own    assay.Score
		silent bool
		state  summary.CheckState
		basis  summary.Basis
		why    []string
	}{
		{"one fails, one has no result", open(0, 0.5), false, summary.CheckFailed, summary.ByRule, []string{"contains \"b\""}},
		{"one fails, one has no result, no answer", open(0, 0.5), true, summary.CheckFailed, summary.ByRule, []string{"contains \"b\""}},
		{"one passes, one has no result", open(0.5, 1), false, summary.Unchecked, summary.ByRule, []string{"latency < 2"}},
		{"one passes, one has no result, no answer", open(0.5, 1), true, summary.Unchecked, summary.ByRule, []string{"latency < 2"}},
		{"four pass, one has no result, no answer", most, true, summary.Unchecked, summary.ByRule, nil},
		{"all pass", assay.Value(1), false, summary.CheckPassed, summary.ByRule, nil},
		{"all pass and show nothing", unproven, false, summary.Unchecked, summary.ByRule, []string{"length"}},
		{"all pass and show nothing, no answer", unproven, true, summary.CheckPassed, summary.ByEvidence, nil},
		{"nothing is known of them", assay.Score{State: assay.JudgeError, Reason: "not valid"}, false, summary.Unchecked, summary.ByAnswer, nil},
		{"none counts", assay.None("no check counts"), false, summary.Unchecked, summary.ByAnswer, nil},
		{"none counts, no answer", assay.None("no check counts"), true, summary.CheckPassed, summary.ByEvidence, nil},
	} {
		r := assay.Record{Case: assay.Case{ID: "q", Critical: true, Want: assay.Want{Documents: map[string]int{"a": 1}}},
			Answer: assay.AnswerUnknown, Response: &assay.Response{NoAnswer: test.silent}, Retrieved: &assay.Retrieved{K: 10, Found: 1, Of: 1},
			Scores: map[string]assay.Score{"checks_passed": test.own, "check.fast": open(0, 1)}}
		if test.silent {
			r.Answer = ""
		}
		if got := summary.CheckOf(r); got.State != test.state || got.Basis != test.basis || got.JudgeFailed || !slices.Equal(got.Why, test.why) {
			t.Errorf("%s: %+v, want %s by %s: %q", test.name, got, test.state, test.basis, test.why)
		}
	}
}

// One of its own checks that fails fails a critical case, whatever its answer, and leaves the outcome of the answer as it is.
func TestOwnChecksFailRightAnswers(t *testing.T) {
	t.Parallel()
	own := assay.Score{State: assay.Scored, Value: 0.5, Lower: 0.5, Upper: 0.5, Evidence: []assay.Evidence{{Kind: "failed", Text: "cites"}}}
	r := assay.Record{Case: assay.Case{ID: "q", Critical: true}, Answer: assay.AnswerRight, Response: &assay.Response{},
		Scores: map[string]assay.Score{"checks_passed": own}}
	s := of(nil, []assay.Record{r}, 0.95)
	if got := summary.CheckOf(r); got.State != summary.CheckFailed || got.Outcome() != assay.AnswerRight || !slices.Equal(got.Why, []string{"cites"}) || s.CriticalFailed != 1 {
		t.Errorf("%+v, %d failed: want a failed case with a right answer", got, s.CriticalFailed)
	}
	r.Case.Critical = false
	if got := summary.CheckOf(r); got.State != summary.CheckPassed {
		t.Errorf("not critical: %+v", got)
	}
}
