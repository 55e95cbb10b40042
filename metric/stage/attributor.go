package stage

import (
	"context"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge"
)

// Options say what an [Attributor] may use. The zero value follows the evidence
// in the trace alone.
type Options struct {
	// Index tells what the target can find at all; nil when nobody knows.
	Index assay.Index
	// Staged is the target, when it can be asked again with outputs put in the
	// stages' places; nil never asks.
	Staged assay.Staged
	// Again lets the funnel ask it for every case whose question may have been
	// misheard or taken apart wrongly.
	Again bool
	// Ladder lets it be asked for every failed case: at most once a stage and
	// repetition, and once more without distractors.
	Ladder bool
	// Full goes on climbing after the first success, which shows ladders that
	// are not monotone.
	Full bool
	// Repeats is how often each rung is asked; below 1 it is 1, which is enough
	// for a target that answers the same each time. Others need 3.
	Repeats int
	// Timeout bounds one call of the target; 0 sets no bound.
	Timeout time.Duration
	// Outcome decides whether a case failed; the zero value is the default.
	Outcome Outcome
	// Score scores another response to a case by the metric that decides. It is
	// needed only when one does: without it such a case is not asked again.
	Score func(ctx context.Context, metric string, c *assay.Case, r *assay.Response) (assay.Score, error)
	// Untraced has responses without a trace followed too: from the passages to
	// the answer.
	Untraced bool
}

// An Attributor finds the stage at which a case was lost. It is safe for
// concurrent use.
type Attributor struct {
	o       Options
	library *library
}

// New returns an attributor.
func New(o Options) *Attributor {
	o.Repeats = max(o.Repeats, 1)
	return &Attributor{o: o, library: newLibrary(o.Index)}
}

// Follow follows the facts of a case through the stages of its response; nil when
// there is nothing to follow. said is what the judge said, nil when nothing was
// asked. The error is that of ctx.
func (a *Attributor) Follow(ctx context.Context, c *assay.Case, r *assay.Response, said *judge.Assessment) (*assay.Attribution, error) {
	if r == nil || r.Trace == nil && !a.o.Untraced {
		return nil, nil
	}
	facts := a.factsOf(c)
	f := a.funnel(c, r, facts)
	if !f.view.known || len(facts) == 0 {
		if a.climbable(c, r) {
			return &assay.Attribution{}, nil
		}
		return nil, nil
	}
	f.read.said = said
	if err := f.follow(ctx); err != nil {
		return nil, err
	}
	return f.attribution(), nil
}

// Explain decides whether the case failed and, when it did, which stage is to
// blame: by the ladder when it may be climbed, else where the most facts were
// lost. What went wrong on the ladder is said in it; the error is that of ctx, or
// a *[judge.FatalError].
func (a *Attributor) Explain(ctx context.Context, c *assay.Case, r *assay.Response, scores map[string]assay.Score, at *assay.Attribution) error {
	if at == nil || r == nil || r.NoAnswer {
		return nil
	}
	facts := a.factsOf(c)
	d := a.decide(c, scores, facts)
	if at.Outcome = d.name; d.name == "" {
		return nil
	}
	right, known := d.actual(c, r, scores, at)
	if !known || right {
		return nil
	}
	at.Failed = true
	at.Stage, at.Evidence = a.verdict(c, r, at, facts)
	if !a.climbable(c, r) || d.metric != "" && a.o.Score == nil {
		return nil
	}
	l := &climb{a: a, c: c, r: r, at: at, facts: facts, by: d}
	return l.climb(ctx)
}

// climbable reports whether a ladder may be climbed for the response: whether
// there is an output that can be replaced.
func (a *Attributor) climbable(c *assay.Case, r *assay.Response) bool {
	return a.o.Ladder && a.o.Staged != nil && !r.NoAnswer &&
		(c.Want.Transcript != nil || len(c.Want.SubQuestions) > 0 || len(a.factsOf(c)) > 0)
}

// ask asks the target with outputs put in the stages' places.
func (a *Attributor) ask(ctx context.Context, c *assay.Case, g assay.Given) (assay.Response, error) {
	if a.o.Timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, a.o.Timeout)
		defer cancel()
	}
	// The target gets a copy, under the id that it knows.
	asked := *c
	asked.ID = c.Base()
	return a.o.Staged.AskGiven(ctx, &asked, g)
}
