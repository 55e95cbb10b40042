package judge

import (
	"context"
	"slices"
)

// A Rule combines the answers of several passes of a judge, or of the judges of a panel.
// The rules are [First], [Extracted], [Each], [One] and [Sheet].
type Rule[In, Out any] interface {
	decide(ctx context.Context, t *Task[In, Out], by voters, s Subject, in In) (Out, error)
	// entries counts the entries of an answer, and those that the input asks for.
	entries(in In, out Out) (got, want int)
}

// The voters are the passes of a judge, a *voting, or the judges of a *panel.
type voters Judge

// First takes the answer of the first pass, and of the first judge that has one. It is for
// what is extracted from a text: two readings have different claims, so votes cannot be
// counted.
type First[In, Out any] struct{}

func (First[In, Out]) decide(ctx context.Context, t *Task[In, Out], by voters, s Subject, in In) (Out, error) {
	if v, ok := by.(*voting); ok {
		return t.Ask(ctx, v.at(0), s, in)
	}
	return first(ctx, by.(*panel), t.Name, func(j Judge) (Out, error) { return t.Ask(ctx, j, s, in) })
}

func (First[In, Out]) entries(In, Out) (got, want int) { return 0, 0 }

// Each decides every item of a list separately. If one cannot be decided and the ballot has no
// Unknown, it is an [*Error].
type Each[In, Item any] struct {
	Ballot[Item]
	// Len is the number of given items, Some selects items by index.
	Len  func(in In) int
	Some func(in In, items []int) In
}

func (e Each[In, Item]) decide(ctx context.Context, t *Task[In, []Item], by voters, s Subject, in In) ([]Item, error) {
	n := e.Len(in)
	return election[Item]{e.Ballot, t.Name, func(ctx context.Context, j Judge, items []int) ([]Item, error) {
		some := in
		if len(items) < n {
			some = e.Some(in, items)
		}
		return t.Ask(ctx, j, s, some)
	}}.decide(ctx, by, t.full(by, s, in), n)
}

func (e Each[In, Item]) entries(in In, out []Item) (got, want int) { return len(out), e.Len(in) }

// One decides an answer that is one ruling, as [Each] does a list of one.
type One[In, Out any] struct{ Ballot[Out] }

func (o One[In, Out]) decide(ctx context.Context, t *Task[In, Out], by voters, s Subject, in In) (answer Out, _ error) {
	list, err := single(o.Ballot, t, s, in).decide(ctx, by, t.full(by, s, in), 1)
	if err != nil {
		return answer, err
	}
	return list[0], nil
}

func (o One[In, Out]) entries(In, Out) (got, want int) { return 0, 0 }

// single puts a task with one answer to the vote.
func single[In, Out any](b Ballot[Out], t *Task[In, Out], s Subject, in In) election[Out] {
	return election[Out]{b, t.Name, func(ctx context.Context, j Judge, _ []int) ([]Out, error) {
		answer, err := t.Ask(ctx, j, s, in)
		return []Out{answer}, err
	}}
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

// An election puts a list of items to the voters.
type election[T any] struct {
	Ballot[T]
	operation string
	// ask asks a judge about items, by index, and returns a ruling for each.
	ask func(ctx context.Context, j Judge, items []int) ([]T, error)
}

// decide puts n items to the vote and returns the ruling on each. full is set if passes vote on
// first rulings that are sure, too.
func (e election[T]) decide(ctx context.Context, by voters, full bool, n int) ([]T, error) {
	if v, ok := by.(*voting); ok {
		out, last, err := poll[T]{e, v, full}.run(ctx, n)
		if err != nil {
			return nil, err
		}
		return e.rulings(e.operation, out, last)
	}
	out, err := e.sit(ctx, by.(*panel), n)
	if err != nil {
		return nil, err
	}
	return e.rulings(e.operation, out, nil)
}

// askAll asks judges at once. A judge that fails has an error in its place, and no reply. The
// error is fatal, or that of ctx.
func askAll[T any](ctx context.Context, judges []Judge, ask func(context.Context, Judge) ([]T, error)) ([][]T, []error, error) {
	replies, errs := make([][]T, len(judges)), make([]error, len(judges))
	err := ForEach(ctx, len(judges), len(judges), func(ctx context.Context, i int) error {
		r, err := ask(ctx, judges[i])
		if errs[i] = err; err == nil {
			replies[i] = r
		} else if Fatal(err) {
			return err
		}
		return nil
	}, nil)
	if err != nil {
		return nil, nil, err
	}
	return replies, errs, ctx.Err()
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

// Extracted decides what is taken from a text and has one ruling about the whole of it, such
// as how a text answers. Passes vote on the ruling; of the answers with the ruling that won
// the one is taken that agrees best with the others, for answers cannot be mixed. Without a
// majority Open makes the answer. The judges of a panel are asked as by [First], so that all
// rule on the same things.
type Extracted[In, Out any] struct {
	Ballot[Out]
	First[In, Out]
	// Agreement is how far two answers agree, 0 to 1.
	Agreement func(a, b Out) float64
	// Open leaves the ruling of an answer unknown.
	Open func(Out) Out
}

func (e Extracted[In, Out]) decide(ctx context.Context, t *Task[In, Out], by voters, s Subject, in In) (Out, error) {
	v, ok := by.(*voting)
	if !ok {
		return e.First.decide(ctx, t, by, s, in)
	}
	var none Out
	list, last, err := poll[Out]{single(e.Ballot, t, s, in), v, t.full(v, s, in)}.run(ctx, 1)
	if err != nil {
		return none, err
	}
	o := list[0]
	cast := o.cast
	if len(cast) == 0 {
		return none, undecided(t.Name, o.why, last)
	}
	if o.known {
		won, _, _ := e.Label(o.ruling)
		cast = slices.DeleteFunc(slices.Clone(cast), func(r Out) bool {
			label, _, _ := e.Label(r)
			return label != won
		})
	}
	out := cast[e.central(cast)]
	if !o.known {
		out = e.Open(out)
	}
	*e.Votes(&out) = o.Votes
	return out, nil
}

// central returns the place of the answer that agrees best with the others, the first of
// several.
func (e Extracted[In, Out]) central(all []Out) int {
	best, most := 0, -1.
	for i := range all {
		sum := 0.
		for k := range all {
			if k != i {
				sum += e.Agreement(all[i], all[k])
			}
		}
		if sum > most {
			best, most = i, sum
		}
	}
	return best
}
