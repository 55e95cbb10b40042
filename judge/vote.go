package judge

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"maps"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/stats"
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

// retries is how many additional passes may replace failed ones. A judge that fails more
// often, or whose first passes all fail, is unfit.
const retries = 2

// A poll asks draws of a judge about a list of items until each is decided.
type poll[T any] struct {
	election[T]
	*voting
	// full is set if first rulings that are sure are put to a vote too.
	full bool
}

// An item is the state of one item during a poll.
type item[T any] struct {
	outcome[T]
	vote *stats.Vote
	// settled is set if the first ruling decides.
	settled bool
}

// run polls n items. Every round makes as many draws at once as each open item needs in any
// case: first a bare majority, or one draw where the first ruling may decide, then mostly one
// by one. Only open items are asked about. The error is fatal, that of ctx, or that of the
// first pass if all passes failed; last is the error of the last failed pass.
func (p poll[T]) run(ctx context.Context, n int) (out []outcome[T], last, err error) {
	list := make([]item[T], n)
	for i := range list {
		list[i].vote = stats.NewVote(p.passes, p.Ordered)
	}
	limit := p.passes + retries
	var first error
	read := false
	for draw := 0; ; {
		items, need := open(list, limit-draw)
		if !read {
			need = min(need, p.passes-draw)
		}
		if need <= 0 {
			break
		}
		if !p.full && !read {
			need = 1
		}
		judges := make([]Judge, need)
		for d := range judges {
			judges[d] = p.at(draw + d)
		}
		replies, errs, err := askAll(ctx, judges, func(ctx context.Context, j Judge) ([]T, error) { return p.ask(ctx, j, items) })
		if err != nil {
			return nil, nil, err
		}
		for d := range replies {
			if errs[d] != nil {
				last = errs[d]
				if first == nil {
					first = last
				}
				continue
			}
			p.cast(list, items, replies[d])
			if !p.full && !read {
				p.settle(list)
			}
			read = true
		}
		draw += need
	}
	if n > 0 && !read {
		return nil, nil, first
	}
	out = make([]outcome[T], n)
	var checked assay.Spending
	for i := range list {
		p.close(&list[i], last)
		out[i] = list[i].outcome
		checked.Add(p.recheck(list[i]))
	}
	Count(ctx, checked)
	return out, last, nil
}

// settle lets the sure rulings of the first draw that was read decide.
func (p poll[T]) settle(list []item[T]) {
	for i := range list {
		o := &list[i]
		o.settled = len(o.cast) == 1 && p.Votes(&o.cast[0]).Sure
	}
}

// recheck counts an item whose first ruling was sure and was voted on nevertheless.
func (p poll[T]) recheck(o item[T]) (s assay.Spending) {
	if !p.full || len(o.cast) < 2 || !p.Votes(&o.cast[0]).Sure {
		return s
	}
	s.Rechecked = 1
	first, _, _ := p.Label(o.cast[0])
	if label, ok := o.vote.Decision(); !ok || label != first {
		s.Overturned = 1
	}
	return s
}

// open lists the items that the left draws can still decide, and how many draws each of
// them needs at least.
func open[T any](list []item[T], left int) (items []int, need int) {
	for i, o := range list {
		if n := o.vote.Open(); !o.settled && n > 0 && n <= left {
			items = append(items, i)
			if need == 0 || n < need {
				need = n
			}
		}
	}
	return items, need
}

func (p poll[T]) cast(list []item[T], items []int, rulings []T) {
	for k, i := range items {
		o := &list[i]
		label, why, ok := p.Label(rulings[k])
		if !ok {
			o.why = why
			continue
		}
		o.vote.Cast(label)
		o.cast = append(o.cast, rulings[k])
	}
}

// close decides an item by its votes.
func (p poll[T]) close(o *item[T], last error) {
	label, ok := o.vote.Decision()
	if o.settled {
		label, _, _ = p.Label(o.cast[0])
		ok = true
	}
	if ok {
		o.known, o.why = true, ""
		o.For, o.Against = o.vote.Votes(label)
		for _, r := range o.cast {
			if l, _, _ := p.Label(r); l == label {
				o.ruling = r
				break
			}
		}
		return
	}
	if o.why == "" && last != nil {
		o.why = Reason(last)
	}
	switch n := o.vote.Len(); {
	case n == 0:
		o.why = "no pass gave a ruling: " + o.why
	case o.vote.Divided():
		o.Against = n
		o.why = fmt.Sprintf("%d passes disagree", n)
	default:
		o.why = fmt.Sprintf("only %d of %d passes gave a ruling: %s", n, p.passes, o.why)
	}
}
