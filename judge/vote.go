package judge

import (
	"context"
	"encoding/json"
	"errors"
	"hash/fnv"
	"maps"

	"github.com/assay-eval/assay"
)

// Passes says how often a ruling is asked for.
type Passes struct {
	// Most is the number of passes of a vote. One, or fewer, is no vote; an even number
	// counts as the next odd one.
	Most int
	// All puts every ruling to a vote. Without it a first ruling that is sure (see
	// [Votes]) decides alone.
	All bool
}

// Voting combines several draws of a judge into one judge. Passes vote on closed rulings,
// item by item, until further passes could not change the decision: verdicts and yes-or-no
// rulings are decided by a majority of all passes, levels and credits by their median. The
// decision of a vote is the one that all passes would have given.
//
// Without All, a first ruling that is sure is final, though a vote might have overturned it,
// and only the other items are asked about again. So that a judge that is wrongly sure is
// noticed, one list in ten, chosen by its content, is voted on in full. How many sure rulings
// were so rechecked, and how many the vote did not confirm, is counted; see
// [assay.Spending]. A task whose rulings do not say whether they are sure is always voted on
// in full.
//
// A pass that failed, or ruled an item unknown, does not vote. Up to two more draws replace
// such passes, unless all of them failed. What stays undecided is unknown, with the reason; if the type of the ruling
// has no unknown, it is an *[Error].
//
// What is extracted from a text is taken from one draw: the claims are fixed before their
// verdicts are voted on. Of a reading ([Extracted]) the kind is voted on like a ruling, and the
// claims are those of the draw that agrees best with the others of that kind; anything else
// ([First]) is that of the first draw.
//
// A vote reduces noise, not bias: the passes of one model with one prompt have the same
// bias.
//
// At returns the judge of a draw, from 0. One pass, or fewer, gives at(0) itself.
func Voting(p Passes, at func(draw int) Judge) Judge {
	if p.Most <= 1 {
		return at(0)
	}
	return &voting{passes: p.Most | 1, all: p.All, at: at}
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
	all    bool
	at     func(draw int) Judge
}

// Info is that of the first draw, with the passes. The parameter recheck says which rulings
// are put to a vote, if not all are.
func (v *voting) Info() assay.JudgeInfo {
	info := v.at(0).Info()
	info.Passes = v.passes
	if !v.all {
		info.Parameters = maps.Clone(info.Parameters)
		if info.Parameters == nil {
			info.Parameters = map[string]string{}
		}
		info.Parameters["recheck"] = assay.RecheckDoubtful
	}
	return info
}

// recheckShare is one in how many lists is voted on in full.
const recheckShare = 10

// full reports whether a list is voted on in full. The choice depends on what is asked
// alone, so that it is the same wherever and however often it is asked.
func (v *voting) full(operation string, s Subject, given any) bool {
	if v.all {
		return true
	}
	asked, err := json.Marshal([]any{operation, s.Question, given})
	if err != nil {
		return true
	}
	sum := fnv.New64a()
	sum.Write(asked)
	return sum.Sum64()%recheckShare == 0
}

func (v *voting) Ask(ctx context.Context, t AnyTask, s Subject, given any) (any, error) {
	return t.decide(ctx, v, s, given)
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
