package words

// CallsOfCase is the heading of the calls of a case.
func (w Words) CallsOfCase(n int) string { return w.Say("CallsOfCase", v{"n": n}) }

// CallRole names who says a message: "user" is the evaluator, "assistant" the model.
func (w Words) CallRole(role string) string { return w.Say("CallRole", v{"role": role}) }

// CallTold says what a call consumed.
func (w Words) CallTold(c CallTold) string { return w.Say("CallTold", c) }

// Unusable says why a reply could not be used.
func (w Words) Unusable(why string) string { return w.Say("Unusable", v{"why": why}) }

// PaidBy says which run paid for a call.
func (w Words) PaidBy(run string) string { return w.Say("PaidBy", v{"run": run}) }

// CallNames name the parts of a call. Absent, Altered and Later say what is not as it was when
// the case was judged, NoneAsked and NoneNamed why a case has no calls.
type CallNames struct {
	Instruction, Reply, Thinking, RequestJSON, ReplyJSON string
	Absent, Altered, Later, NoneAsked, NoneNamed         string
}

// CallTold is what a call consumed. Took and Cost are "" if they are not known.
type CallTold struct {
	Input, Output    int
	Took, Cost, Made string
}
