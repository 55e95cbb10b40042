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
// What is read out of a text ([First]) is taken from the first draw alone. The
// claims are fixed first, then the verdicts on them are voted. The kind of an
// answer is part of its reading.
//
// A vote takes away noise and not bias: passes of one model at one prompt err
// together.
//
// At returns the judge of a draw, from 0. One pass, or fewer, gives at(0) itself;
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

func (v *voting) Ask(ctx context.Context, t AnyTask, s Subject, given any) (any, error) {
	return t.vote(ctx, v, s, given)
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
