package assay

// A Correctness says whether the answer of a case is right. The zero value means that
// there is no answer to decide on: the target only retrieves, or it failed.
type Correctness string

// The values of [Correctness].
const (
	// AnswerRight means that a judge ruled so, or that the answer states what the
	// reference states and nothing else.
	AnswerRight Correctness = "right"
	// AnswerWrong means that a judge ruled so, that the answer asserts another value of
	// the kind that the reference states, or that it refuses an answerable question.
	AnswerWrong Correctness = "wrong"
	// AnswerUnknown means that neither is known: there is no reference, or without a
	// judge the answer can be read either way. Such a case counts as neither.
	AnswerUnknown Correctness = "unknown"
)
