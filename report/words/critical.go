package words

import (
	"github.com/assay-eval/assay/summary"
)

// Critical counts the critical cases by what is known of them.
type Critical struct{ Passed, Failed, Unchecked, Unasked int }

// Of returns the number of critical cases.
func (c Critical) Of() int { return c.Passed + c.Failed + c.Unchecked + c.Unasked }

// Check is the state of a critical case in one word, CheckReason what that of any case
// rests on.
func (w Words) Check(s summary.CheckState) string { return w.Say("Check", s) }
func (w Words) CheckReason(c summary.Check) string {
	name := "CheckReason." + string(c.Basis)
	switch state := name + "." + string(c.State); {
	case c.JudgeFailed && c.Basis != summary.ByEvidence:
		name = "CheckReason.judge"
	case c.Basis == summary.ByEvidence && c.State == summary.CheckFailed && c.Missed > 0:
		name += ".missed"
	case w.Has(state):
		name = state
	case !w.Has(name):
		name = "CheckReason.nothing"
	}
	return w.Say(name, c)
}
