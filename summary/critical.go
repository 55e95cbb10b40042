package summary

import (
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/columns"
)

// A CheckState says what is known of a case.
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

// A Basis is what the state of a case rests on.
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
	// ByRule: the case breaks a rule of the gate on single cases, or its own checks decide, or
	// would decide if all had a result.
	ByRule Basis = "rule"
	// ByNothing: neither an answer nor evidence could be checked.
	ByNothing Basis = "nothing"
)

// A Check is the state of one case and its basis.
type Check struct {
	State CheckState `json:"state"`
	Basis Basis      `json:"basis"`
	// K is the cut-off of the evidence; 0 if it has none or the basis is another.
	K int `json:"k,omitempty"`
	// Missed is the number of expected documents that are not among them; 0 if none of the
	// evidence is.
	Missed int `json:"missed,omitempty"`
	// Rules are the rules that the case breaks, or that its own checks meet. Why lists its own
	// checks that fail or, if it is unchecked, have no result; short forms of records lack it.
	Rules []string `json:"rules,omitempty"`
	Why   []string `json:"-"`
	// JudgeFailed is set if the case is unchecked and the judge left a question without a ruling:
	// it gave no usable reply, or several are divided.
	JudgeFailed bool `json:"judge_failed,omitempty"`
	// Right is set if a critical case fails by its own checks although its answer is right.
	Right bool `json:"-"`
	// Referenced is set if the case has a reference answer, Expected if it expects documents or passages.
	Referenced bool `json:"-"`
	Expected   bool `json:"-"`
}

// Outcome returns the state in the words for cases that are not critical.
func (c Check) Outcome() assay.Correctness {
	switch {
	case c.State == CheckPassed, c.Right:
		return assay.AnswerRight
	case c.State == CheckFailed:
		return assay.AnswerWrong
	}
	return assay.AnswerUnknown
}

// CheckOf returns what a record shows of its case, without the rules of a gate. The answer
// decides if it is known to be right or wrong; a target that gave no response is wrong.
// A critical case that fails one of its own checks fails, whatever its answer.
// Otherwise a case fails if none of its expected evidence is among the first k, and a
// critical one if any of its expected documents is not; so does one that fails a check of its
// own, whatever the results that others lack would be, and one that passes all of these passes, unless they
// are unproven. If only checks that are unproven or without a result could decide, the case is unchecked.
// Otherwise it passes if all evidence is there and the target gives no answer: one that nothing checks, or that was not read,
// can be wrong. Thresholds do not matter: they are on means.
func CheckOf(r assay.Record) Check {
	check := checkOf(r)
	failed := r.Judging != nil && r.Judging.Failed > 0
	for name, s := range r.Scores { // checks lack results for other reasons, and a composite because of its parts
		ruling := name != ownChecks && name != assay.CompositeName && !strings.HasPrefix(name, assay.CheckPrefix)
		failed = failed || ruling && r.Unruled(s.State)
	}
	check.JudgeFailed = check.State == Unchecked && failed
	return check
}

// ownChecks is the metric of the checks of the case itself.
const ownChecks = "checks_passed"

// byOwn returns a state that the checks of a case decide, or leave open.
func byOwn(own assay.Score, state CheckState, kind string) Check {
	check := Check{State: state, Basis: ByRule}
	if state != Unchecked || kind == assay.KindUnproven {
		check.Rules = []string{ownChecks + " >= 1"}
	}
	for _, e := range own.Evidence {
		if e.Kind == kind {
			check.Why = append(check.Why, e.Text)
		}
	}
	return check
}

func checkOf(r assay.Record) Check {
	e := r.Retrieved
	if e == nil {
		e = &assay.Retrieved{}
	}
	own, expected := r.Scores[ownChecks], r.Case.Want.Relevant()+len(r.Case.Want.Passages) > 0
	found := Check{State: Unchecked, Basis: ByEvidence, K: e.K, Missed: e.Missed}
	switch {
	case r.Failure != nil || r.Response == nil:
		return Check{State: CheckFailed, Basis: ByFailure}
	case r.Answer == assay.AnswerWrong, r.Answer == "" && !r.Response.NoAnswer && r.Attribution != nil && r.Attribution.Failed:
		// Records of earlier versions have no ruling on the answer.
		return Check{State: CheckFailed, Basis: ByAnswer}
	case r.Answer == assay.AnswerRight && r.Case.Critical && own.Bounded() && own.Upper < 1:
		failed := byOwn(own, CheckFailed, "failed")
		failed.Right = true
		return failed
	case r.Answer == assay.AnswerRight:
		return Check{State: CheckPassed, Basis: ByAnswer}
	case e.Of > 0 && e.Found == 0:
		found.State, found.Missed = CheckFailed, 0
		return found
	case r.Case.Critical && e.Missed > 0:
		found.State = CheckFailed
		return found
	case own.Bounded() && own.Upper < 1:
		return byOwn(own, CheckFailed, "failed")
	case own.Bounded() && own.Lower >= 1 && !own.Unproven():
		return byOwn(own, CheckPassed, "")
	case own.Bounded() && own.Lower >= 1 && !r.Response.NoAnswer:
		return byOwn(own, Unchecked, assay.KindUnproven)
	case own.Bounded() && own.Lower < 1:
		return byOwn(own, Unchecked, "no result")
	case r.Response.NoAnswer && r.Answer == assay.AnswerUnknown, !r.Response.NoAnswer && (expected || labelsAnswer(r.Case.Want)):
		return Check{State: Unchecked, Basis: ByAnswer, Referenced: len(r.Case.Want.Answers) > 0}
	case e.Of == 0:
		return Check{State: Unchecked, Basis: ByNothing, Expected: expected}
	case e.Found == e.Of:
		found.State = CheckPassed
	}
	return found
}

// labelsAnswer reports whether a label says what the answer should be.
func labelsAnswer(w assay.Want) bool {
	return len(w.Answers) > 0 || len(w.Keywords) > 0 || w.Ideal != nil || w.Answerable != nil && !*w.Answerable
}

// Critical are the critical cases of a run, each by the row of the draw that decides: a case
// fails if one of its draws fails, and passes if all pass.
type Critical struct {
	Failed, Unchecked, Passed []int
	// Unasked is the number of those of which a running or interrupted run lacks a draw, and
	// no other draw failed or is unchecked.
	Unasked int
}

// Of returns the number of critical cases.
func (c Critical) Of() int { return len(c.Failed) + len(c.Unchecked) + len(c.Passed) + c.Unasked }

// CriticalCases returns the critical cases of a run by what check says of their draws, given
// their short forms; every is set if every case counts as critical.
func CriticalCases(h assay.Header, t *columns.Table, check func(assay.Record) Check, every bool) (out Critical) {
	type drawn struct{ draws, failed, unchecked int }
	cases, order := map[int]*drawn{}, []int(nil)
	for i, r := range t.Records() {
		if !r.Case.Critical {
			continue
		}
		d := cases[t.Case(i)]
		if d == nil {
			d = &drawn{0, -1, -1}
			cases[t.Case(i)], order = d, append(order, i)
		}
		d.draws++
		switch state := check(*r).State; {
		case state == CheckFailed && d.failed < 0:
			d.failed = i
		case state == Unchecked && d.unchecked < 0:
			d.unchecked = i
		}
	}
	left, want := max(0, h.Asked()-t.Len()), h.Dataset.Critical
	if every {
		want = h.Dataset.Cases
	}
	out.Unasked = max(0, min(left, want-len(order)))
	for _, first := range order {
		switch d := cases[t.Case(first)]; {
		case d.failed >= 0:
			out.Failed = append(out.Failed, d.failed)
		case d.unchecked >= 0:
			out.Unchecked = append(out.Unchecked, d.unchecked)
		case left > 0 && d.draws < h.Repeat:
			out.Unasked++
		default:
			out.Passed = append(out.Passed, first)
		}
	}
	return out
}

// Recount counts the draws by what check says of each, and the critical cases.
func (s *Summary) Recount(t *columns.Table, check func(assay.Record) Check, critical Critical) {
	s.Answers = Answers{}
	for _, r := range t.Records() {
		s.Answers.add(check(*r).Outcome())
	}
	s.Critical, s.CriticalUnasked = critical.Of(), critical.Unasked
	s.CriticalFailed, s.CriticalUnchecked = len(critical.Failed), len(critical.Unchecked)
}

// CriticalPassed returns the number of critical cases that passed.
func (s Summary) CriticalPassed() int {
	return s.Critical - s.CriticalFailed - s.CriticalUnchecked - s.CriticalUnasked
}
