package summary

import (
	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/columns"
)

// A CheckState says what is known of a critical case.
type CheckState string

// The states of a [Check].
const (
	// CheckPassed means that something showed the case to be right.
	CheckPassed CheckState = "passed"
	// CheckFailed means that something showed the case to be wrong.
	CheckFailed CheckState = "failed"
	// Unchecked means that nothing showed either.
	Unchecked CheckState = "unchecked"
)

// A Basis is what the state of a critical case rests on.
type Basis string

// The bases.
const (
	// ByFailure: the target gave no response.
	ByFailure Basis = "no_response"
	// ByAnswer: the answer is right or wrong, or there is one and neither is known.
	ByAnswer Basis = "answer"
	// ByEvidence: the expected evidence is among the first K in whole (passed), in part
	// (unchecked), or not at all; or documents of a critical case are not (failed).
	ByEvidence Basis = "evidence"
	// ByRule: a rule of the gate on single cases holds for this one, or does not.
	ByRule Basis = "rule"
	// ByNothing: neither an answer nor evidence could be checked.
	ByNothing Basis = "nothing"
)

// A Check is the state of one critical case and its basis.
type Check struct {
	State CheckState `json:"state"`
	Basis Basis      `json:"basis"`
	// K is the cut-off of the evidence; 0 if it has none or the basis is another.
	K int `json:"k,omitempty"`
	// Missed is the number of expected documents that are not among them; 0 if none of the
	// evidence is.
	Missed int `json:"missed,omitempty"`
	// Rules are the rules that the case breaks or, if it passes by them, meets.
	Rules []string `json:"rules,omitempty"`
}

// CheckOf returns what a record shows of its case, without the rules of a gate. The answer
// decides if it is known to be right or wrong; a target that gave no response is wrong.
// Otherwise a case fails if none of its expected evidence is among the first k, and a
// critical one if any of its expected documents is not; it passes if all evidence is there
// and no answer is expected. Thresholds do not matter: they are on means.
func CheckOf(r assay.Record) Check {
	e := r.Retrieved
	if e == nil {
		e = &assay.Retrieved{}
	}
	found := Check{State: Unchecked, Basis: ByEvidence, K: e.K, Missed: e.Missed}
	switch {
	case r.Failure != nil || r.Response == nil:
		return Check{State: CheckFailed, Basis: ByFailure}
	case r.Answer == assay.AnswerWrong:
		return Check{State: CheckFailed, Basis: ByAnswer}
	case r.Answer == assay.AnswerRight:
		return Check{State: CheckPassed, Basis: ByAnswer}
	case e.Of > 0 && e.Found == 0:
		found.State, found.Missed = CheckFailed, 0
		return found
	case r.Case.Critical && e.Missed > 0:
		found.State = CheckFailed
		return found
	case !r.Response.NoAnswer && labelsAnswer(r.Case.Want):
		return Check{State: Unchecked, Basis: ByAnswer}
	case e.Of == 0:
		return Check{State: Unchecked, Basis: ByNothing}
	case e.Found == e.Of:
		found.State = CheckPassed
	}
	return found
}

// labelsAnswer reports whether a label says what the answer should be.
func labelsAnswer(w assay.Want) bool {
	return len(w.Answers) > 0 || len(w.Keywords) > 0 || w.Ideal != nil || w.Answerable != nil && !*w.Answerable
}

// Recount counts the critical cases by what check says of each, given its short form.
func (s *Summary) Recount(t *columns.Table, check func(assay.Record) Check) {
	s.Critical, s.CriticalFailed, s.CriticalUnchecked, s.CriticalUnasked = 0, 0, 0, 0
	for i := range t.Len() {
		if !t.Critical(i) {
			continue
		}
		s.Critical++
		switch check(t.Record(i)).State {
		case CheckFailed:
			s.CriticalFailed++
		case Unchecked:
			s.CriticalUnchecked++
		}
	}
}

// CriticalPassed returns the number of critical cases that passed.
func (s Summary) CriticalPassed() int {
	return s.Critical - s.CriticalFailed - s.CriticalUnchecked - s.CriticalUnasked
}
