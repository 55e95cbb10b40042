package judge

import (
	"context"
	"fmt"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/stats"
)

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
