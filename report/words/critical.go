package words

import "github.com/assay-eval/assay/summary"

// Critical counts the critical cases by what is known of them.
type Critical struct{ Passed, Failed, Unchecked, Unasked int }

// Of returns the number of critical cases.
func (c Critical) Of() int { return c.Passed + c.Failed + c.Unchecked + c.Unasked }

// checks are the words about critical cases.
type checks interface {
	CriticalCount(c Critical) string
	CriticalTitle(count string) string
	CriticalCard(c Critical) string
	// Check is the state of a critical case in one word, CheckReason what it rests on.
	Check(s summary.CheckState) string
	CheckReason(c summary.Check) string
}
