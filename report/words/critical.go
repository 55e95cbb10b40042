package words

import (
	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/summary"
)

// Critical counts the critical cases by what is known of them.
type Critical struct{ Passed, Failed, Unchecked, Unasked int }

// Of returns the number of critical cases.
func (c Critical) Of() int { return c.Passed + c.Failed + c.Unchecked + c.Unasked }

// checks are the words about critical cases.
type checks interface {
	CriticalCount(c Critical) string
	CriticalTitle(count string) string
	CriticalCard(c Critical) string
	// Check is the state of a critical case in one word, CheckReason what that of any case
	// rests on.
	Check(s summary.CheckState) string
	CheckReason(c summary.Check) string
	// OutcomeRule says what makes a case right or wrong; by are the different settings
	// "outcome" of the runs, "" for none.
	OutcomeRule(by []string) string
	// Turned says how a case ended in the baseline and in a run.
	Turned(baseline, run string, old, now assay.Correctness) string
}
