package judge

import (
	"cmp"
	"context"
	"fmt"

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
