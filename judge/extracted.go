package judge

import (
	"context"
	"slices"
)

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
