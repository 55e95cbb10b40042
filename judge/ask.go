package judge

import (
	"math/bits"
	"slices"
)

// An Ask is a set of questions about a case. A metric says which it needs; a
// run asks the union once and every metric reads the same [Assessment].
type Ask uint32

// The questions, with the method of [Judge] that answers each.
const (
	// AskAnswer reads the answer: its kind and its claims. (Read)
	AskAnswer Ask = 1 << iota
	// AskReference reads the reference answer. (Read)
	AskReference
	// AskAnswerPassages holds the answer's claims against the passages. (Support)
	AskAnswerPassages
	// AskReferencePassages holds the reference's claims against the passages.
	// Together with AskAnswerPassages it is one question. (Support)
	AskReferencePassages
	// AskAnswerReference holds the answer's claims against the reference. (Support)
	AskAnswerReference
	// AskReferenceAnswer holds the reference's claims against the answer. (Support)
	AskReferenceAnswer
	// AskRelevance grades the passages for the question. (Relevance)
	AskRelevance
	// AskEquivalence rules whether the answer says what the reference does. (Equivalent)
	AskEquivalence
	// AskQuestions writes questions that the answer would answer. (Questions)
	AskQuestions
	// AskPoints assigns the points of the ideal answer to the answer. (Assign)
	AskPoints
	// AskTruth holds the answer's claims against the ideal answer and the
	// passages that it was written from. (Support)
	AskTruth
	// AskCitations holds each sentence of the answer against the passages
	// that it cites. (Support)
	AskCitations
	// AskMarks marks the answer by the run's rubric. (Mark)
	AskMarks

	// AskKeyQuestions marks the sub-questions of the response's decomposition by
	// the scheme for them. (Mark)
	AskKeyQuestions
	asksEnd
)

// implied lists what must be known before a question can be asked.
var implied = map[Ask]Ask{
	AskAnswerPassages:    AskAnswer,
	AskReferencePassages: AskReference,
	AskAnswerReference:   AskAnswer,
	AskReferenceAnswer:   AskReference,
	AskTruth:             AskAnswer,
}

// With adds what a's questions need to have been asked before.
func (a Ask) With() Ask {
	for q, needs := range implied {
		if a&q != 0 {
			a |= needs
		}
	}
	return a
}

// Each lists the questions of a, one bit each, in their order.
func (a Ask) Each() []Ask {
	out := make([]Ask, 0, bits.OnesCount32(uint32(a)))
	for q := Ask(1); q < asksEnd; q <<= 1 {
		if a&q != 0 {
			out = append(out, q)
		}
	}
	return out
}

var askNames = map[Ask]string{
	AskAnswer: "claims of the answer", AskReference: "claims of the reference", AskAnswerPassages: "support of the answer by the passages",
	AskReferencePassages: "support of the reference by the passages", AskAnswerReference: "support of the answer by the reference",
	AskReferenceAnswer: "support of the reference by the answer", AskRelevance: "relevance of the passages", AskEquivalence: "equivalence with the reference",
	AskQuestions: "questions that the answer answers", AskPoints: "points of the ideal answer", AskTruth: "support of the answer by the ideal answer",
	AskCitations: "support of the sentences by what they cite", AskMarks: "marks by the rubric", AskKeyQuestions: "marks of the key questions",
}

// prompted names the prompt that each question is put by.
var prompted = map[Ask]string{
	AskAnswer: "claims", AskReference: "claims", AskAnswerPassages: "support", AskReferencePassages: "support", AskAnswerReference: "support",
	AskReferenceAnswer: "support", AskRelevance: "relevance", AskEquivalence: "equivalence", AskQuestions: "questions", AskPoints: "assign",
	AskTruth: "support", AskCitations: "support", AskMarks: "mark", AskKeyQuestions: "mark",
}

// Prompts names the prompts behind a's questions and those that must be asked
// before them, each once, sorted.
func (a Ask) Prompts() []string {
	var out []string
	for _, q := range a.With().Each() {
		out = append(out, prompted[q])
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// String names a single question for messages.
func (a Ask) String() string { return askNames[a] }
