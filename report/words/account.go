package words

import "github.com/assay-eval/assay/summary"

// CaseCount is like [Words.CasesAsked], for a fact with the name "cases".
func (w Words) CaseCount(a Asked) string {
	if a.Draws > 1 {
		a.Critical = 0
		return w.Say("CasesAsked", a)
	}
	left := ""
	if n := a.Of() - a.Done; n > 0 {
		left = w.Say("NotEvaluated", v{"n": n})
	}
	return w.Say("CaseCount", v{"a": a, "left": left})
}

// Outcome counts the cases by status; in short without what counts none.
func (w Words) Outcome(s summary.Summary, short bool) string {
	return w.Say("Outcome", v{"s": s, "short": short})
}
func (w Words) Below(n int, of string) string { return w.Say("Below", v{"n": n, "of": of}) }
func (w Words) Usage(cost string, in, out int) string {
	return w.Say("Usage", v{"cost": cost, "in": in, "out": out})
}

// Cost returns the estimated and the paid cost in one line. usage is what the
// target reported.
func (w Words) Cost(b Bill, usage string) string { return w.Say("Cost", v{"b": b, "usage": usage}) }

// Asked holds the number of cases in the dataset, how often each was asked (Draws),
// and how many answers were evaluated (Done). Critical is the number of critical
// cases, 0 if it is not to be shown.
type Asked struct{ Cases, Draws, Done, Critical int }

// Of returns the number of answers that the run should have.
func (a Asked) Of() int { return a.Cases * max(a.Draws, 1) }

// A Bill is the estimated and the actual cost of a run; "" is nothing or unknown.
type Bill struct {
	// Estimated is the expected cost of judging, Calls the expected number of calls.
	Estimated string
	Calls     int
	// Target is the cost that the target reported, Judging the cost of judging.
	Target, Judging, Total string
	// Paid is set if an earlier run paid for every judgement.
	Paid bool
}
