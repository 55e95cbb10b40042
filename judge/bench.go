package judge

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
)

// known reports whether there is a ruling.
func (b election[T]) known(ruling T) bool {
	_, _, ok := b.Label(ruling)
	return ok
}

// sit asks the judges about n items and decides each.
func (b election[T]) sit(ctx context.Context, p *panel, n int) ([]outcome[T], error) {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	if n == 0 {
		return nil, nil
	}
	replies, err := hear(ctx, p, b.operation, func(ctx context.Context, j Judge) ([]T, error) { return b.ask(ctx, j, all) })
	if err != nil {
		return nil, err
	}
	out := make([]outcome[T], n)
	rulings := make([][]T, n)
	var divided []int
	for i := range out {
		for _, r := range replies {
			if r != nil && b.known(r[i]) {
				rulings[i] = append(rulings[i], r[i])
			}
		}
		if b.judged(p, &out[i], rulings[i]) {
			divided = append(divided, i)
		}
	}
	return out, b.askThird(ctx, p, out, rulings, divided)
}

// judged decides one item and reports whether the third judge is needed.
func (b election[T]) judged(p *panel, o *outcome[T], rulings []T) (third bool) {
	judges := len(p.judges)
	if n := len(rulings); n == 0 || p.all && n < judges {
		o.known, o.why = false, fmt.Sprintf("%d of %d judges gave a ruling", n, judges)
		return false
	}
	decide := b.majority
	if b.Ordered {
		decide = b.median
	}
	o.ruling, o.Votes, o.known, third = decide(rulings)
	if !o.known {
		o.why = "the judges are divided"
	}
	return third
}

func (b election[T]) askThird(ctx context.Context, p *panel, out []outcome[T], rulings [][]T, divided []int) error {
	if len(divided) == 0 {
		return nil
	}
	if p.third == nil {
		says := "the judges are divided"
		if len(p.judges) == 2 {
			says += ", and there is no third judge"
		}
		Warn(ctx, b.operation+": "+says)
		return nil
	}
	more, err := b.ask(ctx, p.third, divided)
	if Over(ctx, err) {
		return cmp.Or(ctx.Err(), err)
	}
	if err != nil {
		Warn(ctx, fmt.Sprintf("%s: the judges are divided, and the third judge failed: %s", b.operation, Reason(err)))
		return nil
	}
	for k, i := range divided {
		if b.known(more[k]) {
			b.judged(p, &out[i], append(rulings[i], more[k]))
		}
	}
	return nil
}

// hear asks all judges at once. The reply of a failed judge is the zero value, with a
// warning; it is an error if all must answer, or none did.
func hear[T any](ctx context.Context, p *panel, operation string, ask func(context.Context, Judge) ([]T, error)) ([][]T, error) {
	replies, errs, err := askAll(ctx, p.judges, ask)
	if err != nil {
		return nil, err
	}
	var failed []string
	var last error
	for i, err := range errs {
		if err != nil {
			failed = append(failed, title(p.judges[i].Info()))
			last = err
		}
	}
	switch {
	case last == nil:
	case p.all || len(failed) == len(p.judges):
		return nil, undecided(operation, fmt.Sprintf("%s failed: %s", strings.Join(failed, " and "), Reason(last)), last)
	default:
		Warn(ctx, fmt.Sprintf("%s: %s failed, the other judges decided: %s", operation, strings.Join(failed, " and "), Reason(last)))
	}
	return replies, nil
}

// tally counts the rulings with the same label as one, and the others.
func (b Ballot[T]) tally(rulings []T, like T) (v Votes) {
	want, _, _ := b.Label(like)
	for _, r := range rulings {
		if label, _, _ := b.Label(r); label == want {
			v.For++
		} else {
			v.Against++
		}
	}
	return v
}

// majority decides by more than half of the rulings, and returns the first ruling of the
// majority.
func (b Ballot[T]) majority(rulings []T) (decision T, votes Votes, known, third bool) {
	for _, r := range rulings {
		if v := b.tally(rulings, r); v.For > v.Against {
			return r, v, true, false
		}
	}
	return decision, Votes{Against: len(rulings)}, false, true
}

// median decides by the middle ruling, or merges the middle two. It needs the third judge
// if two judges are more than a level apart.
func (b Ballot[T]) median(rulings []T) (decision T, votes Votes, known, third bool) {
	label := func(r T) float64 {
		l, _, _ := b.Label(r)
		return l
	}
	sorted := slices.Clone(rulings)
	slices.SortStableFunc(sorted, func(x, y T) int { return cmp.Compare(label(x), label(y)) })
	low, high := sorted[(len(sorted)-1)/2], sorted[len(sorted)/2]
	decision, voted := b.Merge(low, high)
	return decision, b.tally(rulings, voted), true, len(rulings) == 2 && label(high)-label(low) > b.Level
}
