package judge

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"strings"

	"github.com/assay-eval/assay"
)

// A Plan says what to ask about every case of a run.
type Plan struct {
	Asks Asks
	// Depth is how many passages of a response are judged, from the best;
	// 0 judges all.
	Depth  int
	Rubric Rubric
	// Checks are those of the configuration, some of which need a ruling.
	Checks []assay.Check
	// Corpus holds the chunks that a question about a whole corpus covers.
	Corpus []Chunk
	// Language is the language of the prompts; "" selects that of the case: see
	// [Plan.LanguageFor].
	Language Language
}

// LanguageFor returns the language in which a judge is asked about a case: that of the
// plan, else that of the case's tag, else that of its question.
func (p Plan) LanguageFor(c *assay.Case) Language {
	return cmp.Or(p.Language, LanguageTagged(c.Language), LanguageOf(c.Question))
}

// A Chunk is a piece of a document that a judge is shown.
type Chunk struct {
	Document, Text string
	// Page is "" if it is not known.
	Page string
}

// Assess asks the judge the questions of the plan about one response. Questions that lack
// a label or passages are not asked; questions that the judge did not answer are failed.
// The error is a *[FatalError], or that of ctx.
//
// It asks in rounds: first the questions that depend on no other, then those that need
// their answers. The questions of a round are asked at once.
func Assess(ctx context.Context, j Judge, p Plan, c *assay.Case, r *assay.Response) (*Assessment, error) {
	p.Asks = p.Asks.With()
	h := &Hearing{
		Judge: j, Plan: p, Case: c, Response: r,
		Subject: Subject{Question: c.Question, Language: p.LanguageFor(c)},
		Sources: SourcesOf(r.Passages, p.Depth),
		Said:    &Assessment{Passages: len(r.Passages), Rubric: p.Rubric, Estimate: j.Info().Estimate},
	}
	if n := len(h.Sources); n < len(r.Passages) {
		h.Said.Passages = n
		h.Warn(fmt.Sprintf("the judge saw the first %d of %d passages", n, len(r.Passages)))
	}
	for _, round := range p.Asks.rounds() {
		if err := h.ask(ctx, round); err != nil {
			return nil, err
		}
	}
	// A failure because of a timeout says nothing about the judge.
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return h.Said, nil
}

// ask asks the questions of a round. Only a fatal error ends it.
func (h *Hearing) ask(ctx context.Context, round Asks) error {
	keep := make([]func(), len(round))
	err := ForEach(ctx, len(round), len(round), func(ctx context.Context, i int) (err error) {
		keep[i], err = round[i].find(ctx, h)
		return err
	}, nil)
	if err != nil {
		return err
	}
	for _, k := range keep {
		if k != nil {
			k()
		}
	}
	return nil
}

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
