package judge

import (
	"errors"
	"fmt"
	"strings"

	"github.com/assay-eval/assay"
)

// An Assessment is what a judge said about one case and one response. Judged
// metrics are formulas over it. Its parts fail one by one: a metric that reads
// a part which failed has no score, the others have theirs.
type Assessment struct {
	// Answer is the reading of the answer; Claims index AnswerPassages,
	// AnswerReference and Truth.
	Answer Part[Reading]
	// Reference is the reading of the first reference answer; its Claims
	// index ReferencePassages and ReferenceAnswer.
	Reference Part[Reading]

	AnswerPassages    Part[[]Finding]
	ReferencePassages Part[[]Finding]
	AnswerReference   Part[[]Finding]
	ReferenceAnswer   Part[[]Finding]
	Truth             Part[[]Finding]

	// Relevance has a grade for each passage that was judged.
	Relevance   Part[[]Grade]
	Equivalence Part[Ruling]
	Questions   Part[[]Reversed]
	// Points has an entry for each point of the case's ideal answer.
	Points Part[[]Assignment]
	// Citations has an entry for each sentence of the answer, with at most
	// five of the passages that it cites.
	Citations Part[[]Cited]
	// KeyQuestions has an entry for each dimension of [KeyQuestions].
	KeyQuestions Part[[]Mark]
	// Marks has an entry for each dimension of Rubric.
	Marks  Part[[]Mark]
	Rubric Rubric

	// Passages is the number of passages that were judged: the first of the
	// response's.
	Passages int
	// Estimate is set when no model judged, but formulas stood in for one.
	Estimate bool
	// Warnings are remarks about this case.
	Warnings []string
}

// A Cited is a sentence of an answer with the passages that it cites.
type Cited struct {
	// Sentence is its number in the answer, from 1, as a [Claim] counts.
	Sentence int
	Text     string
	// Cites are the passages cited, from 0, each once, in order; Invalid are
	// numbers that no passage has.
	Cites   []int
	Invalid []int
	// Finding is the ruling of the sentence against the passages that it
	// cites; Unknown with a reason when it cites none.
	Finding Finding
}

// A Part is one part of an assessment: asked or not, and if asked, known or
// failed.
type Part[T any] struct {
	value T
	err   error
	asked bool
}

// Known returns a part that was answered.
func Known[T any](v T) Part[T] { return Part[T]{value: v, asked: true} }

// Failed returns a part that the judge left without an answer.
func Failed[T any](err error) Part[T] {
	if err == nil {
		err = errors.New("judge: no reason given")
	}
	return Part[T]{err: err, asked: true}
}

// errNotAsked is a defect: a metric reads what its definition does not ask.
var errNotAsked = errors.New("the judge was not asked: the metric's definition lacks it")

// Get returns the value, or why there is none.
func (p Part[T]) Get() (T, error) {
	if !p.asked {
		var zero T
		return zero, errNotAsked
	}
	return p.value, p.err
}

// Asked reports whether the part was asked for.
func (p Part[T]) Asked() bool { return p.asked }

// sourcesOf names the first passages of a response for a judge; depth 0 takes
// them all.
func sourcesOf(passages []assay.Passage, depth int) []Source {
	if depth > 0 && len(passages) > depth {
		passages = passages[:depth]
	}
	out := make([]Source, len(passages))
	for i, p := range passages {
		out[i] = Source{Name: fmt.Sprintf("passage %d", i+1), Text: p.Text}
		// A title alone is no text to find anything in, and one that the text
		// begins with need not be paid for twice.
		if p.Title != "" && strings.TrimSpace(p.Text) != "" && !strings.HasPrefix(p.Text, p.Title) {
			out[i].Text = p.Title + "\n" + p.Text
		}
	}
	return out
}
