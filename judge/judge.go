// Package judge asks judges about cases: it has the types of tasks, questions and
// their answers, votes of passes, and panels. The questions themselves are values
// in judge/question. Those who answer live below it: judge/model asks a language
// model, judge/offline computes estimates from formulas and embeddings.
//
// A judge never sees scores, names of systems, or which answer is a baseline.
package judge

import (
	"context"

	"github.com/assay-eval/assay"
)

// A Judge answers closed questions. It is safe for concurrent use and honours
// ctx.
type Judge interface {
	// Info identifies the judge: when it differs, rulings are not comparable.
	Info() assay.JudgeInfo
	// Ask answers a task. given is the task's In and the answer its Out: see
	// [Task.Ask], which callers use. An error means that nothing could be read: an
	// *[Error] when this task failed, a *[FatalError] when asking on is useless.
	Ask(ctx context.Context, t AnyTask, s Subject, given any) (any, error)
}

// A Subject is what every question is about.
type Subject struct {
	Question string
	// Language chooses the words in which the judge is asked.
	Language Language
}

// A Source is one text that a claim is compared with: a passage, a reference,
// an answer.
type Source struct {
	// Name is how a reader knows it, such as "passage 3".
	Name string
	Text string
}

// A Claim is one proposition that can be checked, with its pronouns resolved.
type Claim struct {
	Text string `json:"claim"`
	// Sentence counts from 1 which sentence of the text makes the claim; 0 is
	// not known.
	Sentence int `json:"sentence,omitempty"`
	// Within lists the sources, from 0, that the claim is compared with; nil
	// means all of them.
	Within []int `json:"within,omitempty"`
}

// A Reading is what a text says.
type Reading struct {
	Kind AnswerKind
	// Claims are those worth checking; Asides are sentences that are not:
	// greetings, hedges, the question repeated, remarks about the passages.
	Claims []Claim
	Asides []string
}

// AnswerKind returns how a text answers its question.
type AnswerKind uint8

const (
	// KindUnknown is the zero value: no one said.
	KindUnknown AnswerKind = iota
	// Answered means that it answers.
	Answered
	// Partial means that it answers a part and says that the rest is unknown.
	Partial
	// Abstained means that it declines to answer.
	Abstained
	// Empty means that it says nothing.
	Empty
)

// Verdict is a ruling on a claim.
type Verdict uint8

const (
	// Unknown means that the judge gave no ruling that could be relied on.
	Unknown Verdict = iota
	// Supported means that the sources say so.
	Supported
	// Contradicted means that the sources say otherwise.
	Contradicted
	// NotFound means that the sources do not tell.
	NotFound
)

// A Finding is the ruling on one claim.
type Finding struct {
	Verdict Verdict
	// Degree is how far the claim is supported, 0 to 1. A judge that rules
	// gives 1 or 0; one that estimates gives its estimate. 0 if unknown.
	Degree float64
	// Quotes are the passages that bear the verdict out, each with words that
	// were found in it by string search.
	Quotes []Quote
	// Why is the judge's reason in a few words, or why the verdict is unknown.
	Why string
	Votes
}

// A Quote points at the words in a source that bear a verdict out.
type Quote struct {
	// Source is the index of the source, from 0.
	Source int
	Text   string
	// Alone is set if this source suffices; a claim that needs several
	// together has none that is.
	Alone bool
}

// A Grade is the relevance of a passage to a question.
type Grade struct {
	// Known is false if the judge gave none that could be relied on.
	Known bool
	// Level is 0 unrelated, 1 related without an answer, 2 a partial or
	// hidden answer, 3 dedicated and exact.
	Level int
	// Degree is Level/3 of a judge that grades, or an estimate in 0…1.
	Degree float64
	Quote  string
	Why    string
	Votes
}

// A Ruling is the answer to a yes-or-no question.
type Ruling struct {
	Holds bool
	// Degree is 1 or 0, or an estimate between.
	Degree float64
	Why    string
	Votes
}

// Votes returns how the passes of a judge, or the judges of a panel, agreed.
type Votes struct {
	// For and Against count the valid votes for what was decided, and for
	// anything else. Both are 0 if one pass alone decided.
	For, Against int
}

// Split reports whether the votes differed: such items are the ones to show to
// a person.
func (v Votes) Split() bool { return v.Against > 0 }

// Reversed is a question that an answer would answer.
type Reversed struct {
	Question string
	// Noncommittal is set if the answer evades: "I do not know".
	Noncommittal bool
}

// A Point is one thing that a complete answer says.
type Point struct {
	Text  string
	Vital bool
	// Source is the index of the source that entails it, from 0.
	Source int
}

// Assignment returns how far an answer makes a point.
type Assignment struct {
	// Known is false if the judge gave no ruling that could be relied on.
	Known bool
	// Credit is 1 for a point that is made, 0.5 for one that is made in part,
	// 0 for one that is not; an estimate may lie between.
	Credit float64
	// Quote is where in the answer, Why the judge's reason.
	Quote string
	Why   string
	Votes
}

// Work is what a rubric marks.
type Work struct {
	Answer string
	// References may be empty, Passages nil: a rubric need not look at them.
	References []string
	Passages   []Source
}
