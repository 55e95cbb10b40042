package judge

import (
	"context"
	"errors"

	"github.com/assay-eval/assay"
)

// Voting makes one judge of several draws of another. Closed rulings are put to
// a vote of so many passes, item by item, which ends as soon as further passes
// could not change it: verdicts and yes-or-no rulings are decided by a majority
// of all passes, levels and credits by their median. The first passes, a bare
// majority, are made at once; then only what is not settled is asked again. The
// decision is the one that all the passes would have given (metrics.md §3.1).
//
// A pass that failed, or ruled an item unknown, is no vote. Up to two more draws
// replace such passes. What stays open is unknown, with the reason; where the
// type of the ruling has no unknown, it is an *[Error].
//
// What is read out of a text (Read, Questions, Points) is taken from the first
// draw alone: two readings do not make the same claims, so there is nothing to
// count. The claims are fixed first, then the verdicts on them are voted. The
// kind of an answer is part of its reading.
//
// A vote takes away noise and not bias: passes of one model at one prompt err
// together.
//
// At gives the judge of a draw, from 0. One pass, or fewer, gives at(0) itself;
// an even number counts as the next odd one.
func Voting(passes int, at func(draw int) Judge) Judge {
	if passes <= 1 {
		return at(0)
	}
	return &voting{passes: passes | 1, at: at}
}

// Draws is how many draws [Voting] takes at most of another judge for one ruling:
// whoever asks twice for rulings that are to be independent begins the second
// time that many draws later.
func Draws(passes int) int {
	if passes <= 1 {
		return 1
	}
	return (passes | 1) + retries
}

type voting struct {
	passes int
	at     func(draw int) Judge
}

func (v *voting) Info() assay.JudgeInfo {
	info := v.at(0).Info()
	info.Passes = v.passes
	return info
}

func (v *voting) Read(ctx context.Context, s Subject, text string) (Reading, error) {
	return v.at(0).Read(ctx, s, text)
}

func (v *voting) Questions(ctx context.Context, s Subject, answer string, n int) ([]Reversed, error) {
	return v.at(0).Questions(ctx, s, answer, n)
}

func (v *voting) Points(ctx context.Context, s Subject, sources []Source) ([]Point, error) {
	return v.at(0).Points(ctx, s, sources)
}

func (v *voting) Support(ctx context.Context, s Subject, claims []Claim, sources []Source) ([]Finding, error) {
	return poll[Finding]{supportBallot, v.passes, func(ctx context.Context, draw int, items []int) ([]Finding, error) {
		return v.at(draw).Support(ctx, s, pick(claims, items), sources)
	}}.list(ctx, len(claims))
}

func (v *voting) Relevance(ctx context.Context, s Subject, passages []Source) ([]Grade, error) {
	return poll[Grade]{relevanceBallot, v.passes, func(ctx context.Context, draw int, items []int) ([]Grade, error) {
		return v.at(draw).Relevance(ctx, s, pick(passages, items))
	}}.list(ctx, len(passages))
}

func (v *voting) Equivalent(ctx context.Context, s Subject, answer string, references []string) (Ruling, error) {
	p := poll[Ruling]{equivalenceBallot, v.passes, func(ctx context.Context, draw int, _ []int) ([]Ruling, error) {
		r, err := v.at(draw).Equivalent(ctx, s, answer, references)
		return []Ruling{r}, err
	}}
	out, last, err := p.run(ctx, 1)
	if err != nil {
		return Ruling{}, err
	}
	if !out[0].known {
		return Ruling{}, undecided(p.operation, out[0].why, last)
	}
	return p.rulings(out)[0], nil
}

func (v *voting) Assign(ctx context.Context, s Subject, points []string, answer string) ([]Assignment, error) {
	return poll[Assignment]{assignBallot, v.passes, func(ctx context.Context, draw int, items []int) ([]Assignment, error) {
		return v.at(draw).Assign(ctx, s, pick(points, items), answer)
	}}.list(ctx, len(points))
}

// Mark asks for the whole rubric in every pass, so that each mark is given
// beside the others, as it would be by one pass.
func (v *voting) Mark(ctx context.Context, s Subject, r Rubric, w Work) ([]Mark, error) {
	p := poll[Mark]{markBallot, v.passes, func(ctx context.Context, draw int, items []int) ([]Mark, error) {
		given, err := markAll(ctx, v.at(draw), s, r, w)
		if err != nil {
			return nil, err
		}
		return pick(given, items), nil
	}}
	out, last, err := p.run(ctx, len(r.Dimensions))
	if err != nil {
		return nil, err
	}
	for i, o := range out {
		if !o.known {
			return nil, undecided(p.operation, r.Dimensions[i].Name+": "+o.why, last)
		}
	}
	return p.rulings(out), nil
}

// markAll asks a judge for a mark of every dimension.
func markAll(ctx context.Context, j Judge, s Subject, r Rubric, w Work) ([]Mark, error) {
	given, err := j.Mark(ctx, s, r, w)
	if err == nil && len(given) != len(r.Dimensions) {
		err = miscounted(markBallot.operation, len(given), len(r.Dimensions))
	}
	return given, err
}

// undecided is the error for a ruling that cannot be unknown, with the reply of
// the last pass that could not be read.
func undecided(operation, why string, last error) error {
	e := &Error{Operation: operation, Message: why, Err: last}
	var of *Error
	if errors.As(last, &of) {
		e.Raw = of.Raw
	}
	return e
}
