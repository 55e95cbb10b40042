package stage

import (
	"cmp"
	"context"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge"
)

// Options say what an [Attributor] may use. The zero value uses only the trace.
type Options struct {
	// Index holds what the target can find at all; nil if unknown.
	Index assay.Index
	// Classes are labels to which no text is followed, see [Classes].
	Classes map[string]bool
	// Staged is the target, if it can be asked again with replaced outputs of stages;
	// nil never asks.
	Staged assay.Staged
	// Again lets the funnel ask it for every case whose question may have been
	// transcribed or decomposed wrongly.
	Again bool
	// Ladder allows asking it for every failed case: at most once for each stage and
	// repetition, and once more without distractors.
	Ladder bool
	// Full continues after the first success, which shows ladders that are not
	// monotone.
	Full bool
	// Repeats is how often each rung is asked, at least 1. That is enough for a
	// deterministic target; others need 3.
	Repeats int
	// Timeout limits one call of the target; 0 means no limit.
	Timeout time.Duration
	// Outcome decides whether a case failed; the zero value selects the default.
	Outcome Outcome
	// Score scores another response to a case by the metric of the outcome. Without it
	// a case that a metric decides is not asked again.
	Score func(ctx context.Context, metric string, c *assay.Case, r *assay.Response) (assay.Score, error)
	// Untraced includes responses without a trace: they are followed from the passages
	// to the answer.
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

// Traces reports whether a case has a label whose evidence can be followed.
func (a *Attributor) Traces(c *assay.Case) bool {
	return len(c.Want.SubQuestions) > 0 || c.Want.Transcript != nil || len(a.factsOf(c)) > 0
}

// Follow follows the facts of a case through the stages of its response; the result is
// nil if there is nothing to follow. by is the assessment of the response, nil if there
// is none. The error is that of ctx.
func (a *Attributor) Follow(ctx context.Context, c *assay.Case, r *assay.Response, by *judge.Assessment) (*assay.Attribution, error) {
	if r == nil || r.Trace == nil && !a.o.Untraced {
		return nil, nil
	}
	if a.o.Outcome.Estimated {
		by = nil
	}
	f := a.choose(c, r, by, false)
	if f == nil || !f.view.known {
		if a.climbable(c, r) {
			return &assay.Attribution{}, nil
		}
		return nil, nil
	}
	if err := f.follow(ctx); err != nil {
		return nil, err
	}
	return f.attribution(), nil
}

// Explain decides whether the case failed and, if so, at which stage: by the ladder if
// it can be used, else where the most facts were lost. Other errors of the ladder are
// recorded in it; the returned error is that of ctx, or a *[judge.FatalError].
func (a *Attributor) Explain(
	ctx context.Context, c *assay.Case, r *assay.Response, scores map[string]assay.Score, at *assay.Attribution,
) error {
	if at == nil || r == nil || r.NoAnswer {
		return nil
	}
	d := a.o.Outcome.by(scores)
	if d.metric == "" && c.Want.Answerable != nil && !*c.Want.Answerable {
		// There is no evidence, so none is lost.
		return nil
	}
	of, by := d.correct(c, r, scores, at)
	if at.Outcome = by; of != assay.AnswerWrong {
		return nil
	}
	var facts []fact
	var rival string
	if f := a.choose(c, r, nil, true); f != nil {
		facts, rival = f.facts, f.rival
		if at.Unknown == assay.UnknownAnswer || len(facts) == 1 && len(at.Facts) == 1 && at.Facts[0].Lost == "" && at.Facts[0].Match != byJudge {
			for i := range f.facts {
				f.lost[i] = cmp.Or(f.facts[i].lostAt(at, ""), f.lost[i])
			}
			for s, into := range at.Merged {
				if s != assay.LostPack {
					f.merge(s, into)
				}
			}
			now := f.attribution()
			at.Facts, at.Merged, at.Unknown = now.Facts, now.Merged, now.Unknown
		}
	}
	at.Failed = true
	if at.Stage, at.Evidence = a.verdict(c, r, at, facts); at.Stage == "" {
		at.Evidence = cmp.Or(at.Evidence, rival)
	}
	if !a.climbable(c, r) || d.metric != "" && a.o.Score == nil {
		return nil
	}
	l := &climb{a: a, c: c, r: r, at: at, facts: facts, by: d}
	if err := l.climb(ctx); err != nil {
		return err
	}
	if at.Stage != "" && at.Unknown == assay.UnknownEnough {
		at.Unknown = "" // the ladder shows what is needed
	}
	return nil
}

// climbable reports whether the response can have a ladder: whether there is an output
// that can be replaced.
func (a *Attributor) climbable(c *assay.Case, r *assay.Response) bool {
	return a.o.Ladder && a.o.Staged != nil && !r.NoAnswer &&
		(c.Want.Transcript != nil || len(c.Want.SubQuestions) > 0 || len(a.factsOf(c)) > 0)
}

// ask asks the target with replaced outputs of stages.
func (a *Attributor) ask(ctx context.Context, c *assay.Case, g assay.Given) (assay.Response, error) {
	if a.o.Timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, a.o.Timeout)
		defer cancel()
	}
	// The target gets a copy with the id that it knows.
	asked := *c
	asked.ID = c.Base()
	return a.o.Staged.AskGiven(ctx, &asked, g)
}
