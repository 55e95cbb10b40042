package words

// calls are the words of the calls to models that a case was judged with.
type calls interface {
	CallNames() CallNames
	// CallsOfCase is the heading of the calls of a case.
	CallsOfCase(n int) string
	// CallRole names who says a message: "user" is the evaluator, "assistant" the model.
	CallRole(role string) string
	// CallTold says what a call consumed.
	CallTold(c CallTold) string
	// Unusable says why a reply could not be used.
	Unusable(why string) string
	// PaidBy says which run paid for a call.
	PaidBy(run string) string
}

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
