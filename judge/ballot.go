package judge

import "context"

// A Rule combines the answers of several passes of a judge, or of the judges of a panel.
// The rules are [First], [Extracted], [Each], [One] and [Sheet].
type Rule[In, Out any] interface {
	vote(ctx context.Context, t *Task[In, Out], v *voting, s Subject, in In) (Out, error)
	sit(ctx context.Context, t *Task[In, Out], p *panel, s Subject, in In) (Out, error)
}

// First takes the answer of the first pass, and of the first judge that has one. It is for
// what is extracted from a text: two readings have different claims, so votes cannot be
// counted.
type First[In, Out any] struct{}

func (First[In, Out]) vote(ctx context.Context, t *Task[In, Out], v *voting, s Subject, in In) (Out, error) {
	return t.Ask(ctx, v.at(0), s, in)
}

func (First[In, Out]) sit(ctx context.Context, t *Task[In, Out], p *panel, s Subject, in In) (Out, error) {
	return first(ctx, p, t.Name, func(j Judge) (Out, error) { return t.Ask(ctx, j, s, in) })
}

// Each decides every item of a list separately. If one cannot be decided and the ballot has no
// Unknown, it is an [*Error].
type Each[In, Item any] struct {
	Ballot[Item]
	// Len is the number of given items, Some selects items by index.
	Len  func(in In) int
	Some func(in In, items []int) In
}

func (e Each[In, Item]) vote(ctx context.Context, t *Task[In, []Item], v *voting, s Subject, in In) ([]Item, error) {
	return poll[Item]{e.Ballot, t.Name, v.passes, t.full(v, s, in), func(ctx context.Context, draw int, items []int) ([]Item, error) {
		return t.Ask(ctx, v.at(draw), s, e.some(in, items))
	}}.list(ctx, e.Len(in))
}

func (e Each[In, Item]) sit(ctx context.Context, t *Task[In, []Item], p *panel, s Subject, in In) ([]Item, error) {
	return bench[Item]{e.Ballot, t.Name, func(ctx context.Context, j Judge, items []int) ([]Item, error) {
		return t.Ask(ctx, j, s, e.some(in, items))
	}}.list(ctx, p, e.Len(in))
}

func (e Each[In, Item]) some(in In, items []int) In {
	if len(items) == e.Len(in) {
		return in
	}
	return e.Some(in, items)
}

// One decides an answer that is one ruling, as [Each] does a list of one.
type One[In, Out any] struct{ Ballot[Out] }

func (o One[In, Out]) vote(ctx context.Context, t *Task[In, Out], v *voting, s Subject, in In) (Out, error) {
	return only(poll[Out]{o.Ballot, t.Name, v.passes, t.full(v, s, in), func(ctx context.Context, draw int, _ []int) ([]Out, error) {
		return alone(t.Ask(ctx, v.at(draw), s, in))
	}}.list(ctx, 1))
}

func (o One[In, Out]) sit(ctx context.Context, t *Task[In, Out], p *panel, s Subject, in In) (Out, error) {
	return only(bench[Out]{o.Ballot, t.Name, func(ctx context.Context, j Judge, _ []int) ([]Out, error) {
		return alone(t.Ask(ctx, j, s, in))
	}}.list(ctx, p, 1))
}

// alone makes a list of an answer, and only takes it from the list.
func alone[T any](answer T, err error) ([]T, error) { return []T{answer}, err }

func only[T any](list []T, err error) (answer T, _ error) {
	if err != nil {
		return answer, err
	}
	return list[0], nil
}

// A Ballot says how to vote on rulings of one type, of the passes of one judge or of the
// judges of a panel.
type Ballot[T any] struct {
	// Label is the vote of a ruling; ok is false if it is not a vote, and why says why.
	Label func(T) (label float64, why string, ok bool)
	// Unknown makes the ruling on an undecided item; nil if the type has none.
	Unknown func(why string) T
	Votes   func(*T) *Votes
	// Ordered labels are decided by their median, others by majority.
	Ordered bool
	// Merge combines the two middle rulings of a panel, and says which of them won; it is
	// needed if labels are ordered.
	Merge func(low, high T) (decision, voted T)
	// Level is how far apart two labels may be before a third judge is asked.
	Level float64
}

// An outcome is the result of a vote on one item.
type outcome[T any] struct {
	// ruling is that of the first vote for the decision, or a merger of the middle two.
	ruling T
	known  bool
	// why says why the item is not known.
	why string
	// cast are the rulings of the passes; a panel has none.
	cast []T
	Votes
}

// rulings returns the decision on each item, with its votes. last is the error of the last
// failed pass.
func (b Ballot[T]) rulings(operation string, out []outcome[T], last error) ([]T, error) {
	list := make([]T, len(out))
	for i, o := range out {
		switch {
		case o.known:
			list[i] = o.ruling
		case b.Unknown == nil:
			return nil, undecided(operation, o.why, last)
		default:
			list[i] = b.Unknown(o.why)
		}
		*b.Votes(&list[i]) = o.Votes
	}
	return list, nil
}

// Pick selects items of a list by index; an index may be there again.
func Pick[T any](list []T, items []int) []T {
	out := make([]T, len(items))
	for k, i := range items {
		out[k] = list[i]
	}
	return out
}
