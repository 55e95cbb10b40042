package judge

import (
	"context"
	"errors"

	"github.com/assay-eval/assay"
)

// Voting combines several draws of a judge into one judge. Passes vote on closed rulings,
// item by item, until further passes could not change the decision: verdicts and yes-or-no
// rulings are decided by a majority of all passes, levels and credits by their median. The
// first passes, a bare majority, are made at once; then only undecided items are asked
// again. The decision is the one that all passes would have given.
//
// A pass that failed, or ruled an item unknown, does not vote. Up to two more draws replace
// such passes. What stays undecided is unknown, with the reason; if the type of the ruling
// has no unknown, it is an *[Error].
//
// What is extracted from a text ([First]) is taken from the first draw alone: the claims
// are fixed before their verdicts are voted on. The kind of an answer is part of its
// reading.
//
// A vote reduces noise, not bias: the passes of one model with one prompt have the same
// bias.
//
// At returns the judge of a draw, from 0. One pass, or fewer, gives at(0) itself;
// an even number counts as the next odd one.
func Voting(passes int, at func(draw int) Judge) Judge {
	if passes <= 1 {
		return at(0)
	}
	return &voting{passes: passes | 1, at: at}
}

// Draws is the largest number of draws that [Voting] takes for one ruling: an independent
// second ruling must start that many draws later.
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

// undecided is the error for a ruling that cannot be unknown, with the last unreadable
// reply.
func undecided(operation, why string, last error) error {
	e := &Error{Operation: operation, Message: why, Err: last}
	var of *Error
	if errors.As(last, &of) {
		e.Raw = of.Raw
	}
	return e
}
