package question

import (
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"slices"
	"sync"

	"github.com/assay-eval/assay/judge"
)

const (
	// batchSize is how many claims, sentences or points are asked about at
	// once: models begin to leave out or mix up items in longer lists.
	batchSize = 20
	// passageBatch is how many passages are graded at once.
	passageBatch = 10
	// atOnce is how many calls one task may make at the same time.
	atOnce = 10
)

// An item is a model's reply about one of the things it was asked about.
type item[R any] interface {
	number() int
	// agrees reports whether two replies about one thing rule alike.
	agrees(R) bool
}

// A ruled is what all replies about a thing have.
type ruled struct {
	ID  int    `json:"id"`
	Why string `json:"why"`
	// Confidence is in percent.
	Confidence int `json:"confidence"`
}

func (r ruled) number() int { return r.ID }

// A list is a question about many things, each known by its number from 1: what a reply R
// says of one is a ruling T. It is asked in batches, all at once up to the limit.
type list[R item[R], T any] struct {
	subject judge.Subject
	// rulings has a place for each of the things; numbers are those that are asked about.
	rulings []T
	numbers []int
	size    int
	// data writes the question about some of the things; again has, for each,
	// why an earlier reply about it was of no use, "" at first.
	data func(numbers []int, again map[int]string) any
	// ruling reads a reply; again is set if an earlier one was of no use. A reason means that
	// it is not to be relied on.
	ruling func(number int, r R, again bool) (ruling T, reason string)
	// unknown makes the ruling on a thing that stays open.
	unknown func(why string) T
}

// collect asks about everything in the list, and returns the rulings. What was left without a
// reply, or with one that cannot be relied on, is asked about once more; what is still open
// then is unknown. The error means that no reply at all could be read.
func collect[R item[R], T any](ctx context.Context, m judge.Asker, l list[R, T]) ([]T, error) {
	var mu sync.Mutex
	var failed error
	unread := 0
	// One batch reads its replies at a time.
	read := l.ruling
	l.ruling = func(number int, r R, again bool) (T, string) {
		mu.Lock()
		defer mu.Unlock()
		return read(number, r, again)
	}
	batches := slices.Collect(slices.Chunk(l.numbers, l.size))
	err := judge.ForEach(ctx, atOnce, len(batches), func(ctx context.Context, i int) error {
		left, err := askBatch(ctx, m, l, batches[i])
		if judge.Over(ctx, err) {
			return err
		}
		mu.Lock()
		defer mu.Unlock()
		if err != nil {
			unread++
			failed = cmp.Or(failed, err)
			for _, n := range batches[i] {
				l.rulings[n-1] = l.unknown("unknown: the judge gave no reply that could be read")
			}
		}
		for n, reason := range left {
			l.rulings[n-1] = l.unknown("unknown: " + reason)
		}
		return nil
	}, nil)
	if err == nil && unread == len(batches) {
		err = failed
	}
	if err != nil {
		return nil, err
	}
	return l.rulings, nil
}

// askBatch asks about one batch, and once more about what is open.
func askBatch[R item[R], T any](ctx context.Context, m judge.Asker, l list[R, T], batch []int) (map[int]string, error) {
	open, err := askOnce(ctx, m, l, batch, nil)
	if err != nil || len(open) == 0 {
		return nil, err
	}
	rest := slices.DeleteFunc(slices.Clone(batch), func(n int) bool { return open[n] == "" })
	left, err := askOnce(ctx, m, l, rest, open)
	switch {
	case judge.Over(ctx, err):
		return nil, err
	case err != nil:
		// The first reply was read; only the second was not.
		return open, nil
	}
	return left, nil
}

// askOnce makes one question about the numbers and gives what is open after it.
func askOnce[R item[R], T any](
	ctx context.Context, m judge.Asker, l list[R, T], numbers []int, again map[int]string,
) (map[int]string, error) {
	a, err := m.Put(ctx, l.subject, l.data(turn(numbers, m.Draw()), again), nil)
	if judge.Over(ctx, err) || err != nil && len(a.Items) == 0 {
		return nil, judge.GivesUp(ctx, err)
	}
	replies := map[int][]R{}
	for _, r := range decode[R](a.Items) {
		replies[r.number()] = append(replies[r.number()], r)
	}
	missing := slices.ContainsFunc(numbers, func(n int) bool { return replies[n] == nil })
	other := slices.ContainsFunc(slices.Collect(maps.Keys(replies)), func(n int) bool { return !slices.Contains(numbers, n) })
	open := map[int]string{}
	for _, n := range numbers {
		all := replies[n]
		switch {
		case len(all) == 0:
			open[n] = "the reply left it out"
		case missing && other:
			open[n] = "the reply numbers the things otherwise"
		case slices.ContainsFunc(all[1:], func(r R) bool { return !r.agrees(all[0]) }):
			open[n] = "the reply ruled on it twice, and not alike"
		default:
			// Of replies that agree one is enough; the first whose quotes hold.
			for _, r := range all {
				ruling, reason := l.ruling(n, r, again[n] != "")
				if open[n] = reason; reason == "" {
					l.rulings[n-1] = ruling
					delete(open, n)
					break
				}
			}
		}
	}
	return open, nil
}

// numbered returns 1 to n.
func numbered(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i + 1
	}
	return out
}

// decode reads items one by one; they follow the schema already.
func decode[T any](items []json.RawMessage) []T {
	var out []T
	for _, raw := range items {
		var t T
		if json.Unmarshal(raw, &t) == nil {
			out = append(out, t)
		}
	}
	return out
}

// turn begins the list at another place for each draw: the same question put the
// same way to a model at temperature 0 has the same answer, and says nothing about
// how sure it is.
func turn[T any](list []T, draw int) []T {
	if len(list) == 0 {
		return list
	}
	at := draw % len(list)
	return slices.Concat(list[at:], list[:at])
}
