// Package judge asks judges about cases. It has the types of tasks, questions and answers,
// voting, and panels. The questions are values in judge/question. The judges are in
// judge/model, which asks a language model, and judge/offline, which computes estimates
// from formulas and embeddings.
//
// A judge never sees scores, system names, or which answer is a baseline.
package judge

import (
	"context"
	"slices"

	"github.com/assay-eval/assay"
)

// A Judge answers closed questions. It is safe for concurrent use and honours
// ctx.
type Judge interface {
	// Info identifies the judge: rulings of judges with different Info are not comparable.
	Info() assay.JudgeInfo
	// Ask answers a task. given is the task's In and the answer its Out; callers use
	// [Task.Ask]. The error is an *[Error] if this task failed, a *[FatalError] if
	// further tasks would fail too.
	Ask(ctx context.Context, t AnyTask, s Subject, given any) (any, error)
}

// A Limited judge does not answer every task.
type Limited interface {
	// Answers reports whether the judge answers a task.
	Answers(t AnyTask) bool
}

// Able reports whether a judge answers a task: one that is not [Limited] answers all.
func Able(j Judge, t AnyTask) bool {
	l, limited := j.(Limited)
	return !limited || l.Answers(t)
}

// A Subject is what every question is about.
type Subject struct {
	Question string
	// Language is the language of the prompts.
	Language Language
}

// A Source is one text that a claim is compared with: a passage, a reference,
// an answer.
type Source struct {
	// Name is its name for a reader, such as "passage 3".
	Name string
	Text string
}

// A Claim is a verifiable proposition, with its pronouns resolved.
type Claim struct {
	Text string `json:"claim"`
	// Sentence is the number, from 1, of the sentence that makes the claim; 0 if unknown.
	Sentence int `json:"sentence,omitempty"`
	// Within lists the sources, from 0, that the claim is compared with; nil
	// means all of them.
	Within []int `json:"within,omitempty"`
}

// A Reading is the content of a text.
type Reading struct {
	Kind AnswerKind
	// Claims are those worth checking; Asides are sentences that are not:
	// greetings, hedges, the question repeated, remarks about the passages.
	Claims []Claim
	Asides []string
	// Ambiguous are sentences that can be read in two ways, neither of which the text
	// tells to be meant. They are not checked.
	Ambiguous []string
	// Votes are on the kind.
	Votes
}

// AnswerKind is how a text answers its question.
type AnswerKind uint8

const (
	// KindUnknown is the zero value.
	KindUnknown AnswerKind = iota
	// Answered means that it answers.
	Answered
	// Partial means that it answers in part and says that the rest is unknown.
	Partial
	// Abstained means that it declines to answer.
	Abstained
	// Empty means that it says nothing.
	Empty
)

// Verdict is a ruling on a claim.
type Verdict uint8

const (
	// Unknown means that the judge gave no reliable ruling.
	Unknown Verdict = iota
	// Supported means that the sources say so.
	Supported
	// Contradicted means that the sources say otherwise.
	Contradicted
	// NotFound means that the sources do not mention it.
	NotFound
)

// A Finding is the ruling on one claim.
type Finding struct {
	Verdict Verdict
	// Degree is how far the claim is supported, 0 to 1. A judge that rules
	// gives 1 or 0; one that estimates gives its estimate. 0 if unknown.
	Degree float64
	// Score is the probability that a judge which rules by a threshold held against it; nil
	// of any other judge.
	Score *float64
	// Quotes are the sources that support the verdict, each with words that were found in
	// it by string search.
	Quotes []Quote
	// Singly is set if it was ruled which of the quoted sources support the claim alone. Of a
	// finding without it that is not known.
	Singly bool
	// Contrary are the sources that say otherwise, of a claim that others support: the
	// sources conflict. nil otherwise.
	Contrary []Quote
	// Parts are the sources that say a part of a claim that is not found as a whole, and
	// nothing speaks against. nil otherwise.
	Parts []Quote
	// Why is the judge's reason in a few words, or why the verdict is unknown.
	Why string
	// Ends are the findings at both ends of the interval of the judge's threshold; nil if it
	// has none.
	Ends *[2]Finding
	Votes
}

// AtEnd returns the finding at an end, 0 or 1, of the interval of the judge's threshold.
func (f Finding) AtEnd(end int) Finding {
	if f.Ends == nil {
		return f
	}
	return f.Ends[end]
}

// Conflict reports whether some sources say the claim and others say otherwise.
func (f Finding) Conflict() bool { return f.Verdict == Supported && len(f.Contrary) > 0 }

// Partly reports whether the sources say a part of the claim, and not the whole.
func (f Finding) Partly() bool { return f.Verdict == NotFound && len(f.Parts) > 0 }

// Clone returns a copy that shares nothing with the finding.
func (f Finding) Clone() Finding {
	f.Quotes, f.Contrary, f.Parts = slices.Clone(f.Quotes), slices.Clone(f.Contrary), slices.Clone(f.Parts)
	return f
}

// A Quote is the words in a source that support a verdict.
type Quote struct {
	// Source is the index of the source, from 0.
	Source int
	Text   string
	// Alone is set if this source alone suffices; see [Finding.Singly].
	Alone bool
}

// A Grade is the relevance of a passage to a question.
type Grade struct {
	// Known is false if the judge gave no reliable grade.
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
	// Ends are as in a [Finding].
	Ends *[2]Ruling
	Votes
}

// A Choice is which of two answers is better.
type Choice struct {
	// First is 1 if the first one is, −1 if the second one is, and 0 if neither is.
	First int
	Why   string
	Votes
}

// Votes counts the votes of the passes of a judge, or of the judges of a panel.
type Votes struct {
	// For and Against count the valid votes for the decision and for others. Both are 0
	// if there was no vote.
	For, Against int
	// Sure is set on the ruling of one pass if nothing speaks against it: the judge is
	// confident, its quotes were found at the first try, and the numbers fit. [Voting]
	// may then spare further passes. A decided ruling does not have it.
	Sure bool
}

// Split reports whether the votes differed: a person should look at such items.
func (v Votes) Split() bool { return v.Against > 0 }

// Reversed is a question that an answer would answer.
type Reversed struct {
	Question string
	// Noncommittal is set if the answer evades: "I do not know".
	Noncommittal bool
}

// A Point is one statement of a complete answer.
type Point struct {
	Text string
	// Vital is the estimate of a judge that works by formulas; a model is asked apart, see
	// [Weight].
	Vital bool
	// Source is the index of the source that entails it, from 0.
	Source int
}

// A Weight is how important a point is for an answer.
type Weight struct {
	// Known is false if the judge gave no reliable ruling.
	Known bool
	// Vital is set if an answer without the point would be wrong, or none.
	Vital bool
	Why   string
	Votes
}

// An Assignment is how far an answer makes a point.
type Assignment struct {
	// Known is false if the judge gave no reliable ruling.
	Known bool
	// Credit is 1 for a point that is made, 0.5 for one that is made in part, else 0; an
	// estimate may be between.
	Credit float64
	// Quote is where in the answer, Why the judge's reason.
	Quote string
	Why   string
	Votes
}

// Work is what a rubric marks.
type Work struct {
	Answer string
	// References and Passages may be empty.
	References []string
	Passages   []Source
}
