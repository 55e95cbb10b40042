package gate

import (
	"slices"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/summary"
)

// CriticalRule is the text of the rule that every critical case passes.
const CriticalRule = "critical cases are right"

// right evaluates whether every critical case passes its check; all is set if every case
// counts as critical. ok is false if the run has no critical case.
func (o *Outcome) right(r Run, all bool) (res Result, ok bool) {
	res = Result{Rule: CriticalRule, Verdict: Pass}
	var failed, open []string
	for i := range r.Cases.Len() {
		if !r.Cases.Critical(i) {
			continue
		}
		rec := r.Cases.Record(i)
		res.N++
		switch o.Check(rec).State {
		case summary.CheckFailed:
			failed = append(failed, rec.Case.ID)
		case summary.Unchecked:
			open = append(open, rec.Case.ID)
		}
	}
	unasked := r.Header.UnaskedCritical(r.Cases.Len(), res.N, all)
	n := res.N + unasked
	switch {
	case failed != nil:
		res.Verdict, res.Cases = Fail, failed
		res.Reason = func(w Words) string { return w.CriticalWrong(len(failed), n) }
	case open != nil:
		res.Verdict, res.Cases = Inconclusive, open
		res.Reason = func(w Words) string { return w.CriticalUnchecked(len(open), n) }
	case unasked > 0:
		res.Verdict = Inconclusive
		res.Reason = func(w Words) string { return w.CriticalUnasked(unasked, n) }
	}
	got := float64(res.N - len(failed) - len(open))
	res.Got = &got
	return res, n > 0
}

// Check returns what is known of a critical case: what its record shows and, where that
// shows nothing wrong, the rules on single cases. A case that breaks one fails. A case
// of which the record shows nothing passes if such a rule holds for it. A nil outcome
// has no rules.
func (o *Outcome) Check(r assay.Record) summary.Check {
	check := summary.CheckOf(r)
	if o == nil || check.State == summary.CheckFailed {
		return check
	}
	var broken, met []string
	for _, res := range o.Results {
		switch {
		case !res.Each:
		case slices.Contains(res.Broken, r.Case.Base()):
			broken = append(broken, res.Rule)
		case r.Scores[res.Metric].State == assay.Scored:
			met = append(met, res.Rule)
		}
	}
	switch {
	case broken != nil:
		return summary.Check{State: summary.CheckFailed, Basis: summary.ByRule, Rules: broken}
	case check.State == summary.Unchecked && met != nil:
		return summary.Check{State: summary.CheckPassed, Basis: summary.ByRule, Rules: met}
	}
	return check
}
