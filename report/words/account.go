package words

// CaseCount is like [Words.CasesAsked], for a fact with the name "cases".
func (w Words) CaseCount(a Asked) string {
	if a.Draws > 1 {
		return w.Say("CasesAsked", a)
	}
	left := ""
	if n := a.Of() - a.Done; n > 0 {
		left = w.Say("NotEvaluated", v{"n": n})
	}
	return w.Say("CaseCount", v{"a": a, "left": left})
}

func (w Words) Usage(cost string, in, out int) string {
	return w.Say("Usage", v{"cost": cost, "in": in, "out": out})
}

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
