package judge

import (
	"errors"
	"fmt"
	"maps"
	"strings"

	"github.com/assay-eval/assay"
)

// An Assessment is what a judge said about one case and one response: the answers
// to questions, each read by [Question.Of]. Judged metrics are formulas over it.
// Its parts fail one by one: a metric that reads a part which failed has no
// score, the others have theirs.
type Assessment struct {
	// Rubric is the run's own marking scheme; it may have no dimension.
	Rubric Rubric
	// Passages is the number of passages that were judged: the first of the
	// response's.
	Passages int
	// Estimate is set if no model judged, but formulas stood in for one.
	Estimate bool
	// Warnings are remarks about this case.
	Warnings []string

	// parts has a Part of the question's type for the name of each.
	parts map[string]any
}

// Clone returns a copy to which other answers can be put.
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

// SourcesOf names the first passages of a response for a judge; depth 0 takes
// them all.
func SourcesOf(passages []assay.Passage, depth int) []Source {
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
