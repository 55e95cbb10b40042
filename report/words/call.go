package words

// CallNames name the parts of a call. Absent, Altered and Later say what is not as it was when
// the case was judged, NoneAsked and NoneNamed why a case has no calls.
type CallNames struct {
	Instruction, Reply, Thinking, RequestJSON, ReplyJSON string
	Absent, Altered, Later, NoneAsked, NoneNamed         string
}
