package judge

import (
	"errors"
	"fmt"
	"maps"
	"strings"

	"github.com/assay-eval/assay"
)

// An Assessment holds a judge's answers about one case and one response, each read by
// [Question.Of]. Judged metrics are formulas over it. Its parts fail independently: only
// metrics that read a failed part have no score.
type Assessment struct {
	// Rubric is the rubric of the run; it may have no dimension.
	Rubric Rubric
	// Passages is the number of passages that were judged, from the first.
	Passages int
	// Estimate is set if formulas judged instead of a model.
	Estimate bool
	// Warnings are remarks about this case.
	Warnings []string

	// parts holds a Part for each question, by its name.
	parts map[string]any
}

// Clone returns a copy that can be given other answers.
func (a *Assessment) Clone() *Assessment {
	out := *a
	out.parts = maps.Clone(a.parts)
	return &out
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
	// Finding is the ruling on the sentence by the passages that it cites; Unknown, with
	// a reason, if it cites none.
	Finding Finding
}

// A Part is one part of an assessment: not asked, known or failed.
type Part[T any] struct {
	value T
	err   error
	asked bool
}

// Known returns a part that was answered.
func Known[T any](v T) Part[T] { return Part[T]{value: v, asked: true} }

// Failed returns a part that the judge did not answer.
func Failed[T any](err error) Part[T] {
	if err == nil {
		err = errors.New("judge: no reason given")
	}
	return Part[T]{err: err, asked: true}
}

// errNotAsked is a bug: a metric reads a question that its definition does not ask.
var errNotAsked = errors.New("the judge was not asked: the definition of the metric lacks the question")

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

// SourcesOf returns the first passages of a response as sources; depth 0 means all.
func SourcesOf(passages []assay.Passage, depth int) []Source {
	if depth > 0 && len(passages) > depth {
		passages = passages[:depth]
	}
	out := make([]Source, len(passages))
	for i, p := range passages {
		out[i] = Source{Name: fmt.Sprintf("passage %d", i+1), Text: p.Text}
		// A title is added only to a text that does not begin with it.
		if p.Title != "" && strings.TrimSpace(p.Text) != "" && !strings.HasPrefix(p.Text, p.Title) {
			out[i].Text = p.Title + "\n" + p.Text
		}
	}
	return out
}
