// Package attack measures how far the material that a judge reads can sway it: wrong
// answers and irrelevant passages that carry instructions for the judge, texts that
// answer nothing, and plain right and wrong answers for comparison. It also finds such
// instructions in a text before a judge sees it.
//
// All texts are this project's own and about invented facts. The judge is asked in the
// same way as in a run.
package attack

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/assay-eval/assay/judge"
)

// Options say how large the suite is. The zero value selects the defaults.
type Options struct {
	// Injections is how many wrong answers and how many passages carry an injection, at
	// least 20. 0 means 60: if none of 60 succeeds, at most 5 in 100 would.
	Injections int
	// Concurrency is how many trials run at once; 0 means 10.
	Concurrency int
	// Done, if it is set, is called with the number of finished trials.
	Done func(done, total int)
}

const (
	// minInjections is the smallest useful suite.
	minInjections = 20
	// keyFacts is the number of questions in each language for the master keys.
	keyFacts = 2
)

func (o Options) withDefaults() (Options, error) {
	o.Injections, o.Concurrency = cmp.Or(o.Injections, 60), cmp.Or(o.Concurrency, 10)
	switch {
	case o.Injections < minInjections:
		return o, fmt.Errorf("injections: %d: want %d or more", o.Injections, minInjections)
	case o.Concurrency < 0:
		return o, errors.New("concurrency: want a number above 0")
	}
	return o, nil
}

// Run tries the judge. The error is that of ctx, of the options, or a
// *[judge.FatalError]; a question that the judge does not answer is counted.
func Run(ctx context.Context, j judge.Judge, o Options) (*Report, error) {
	o, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	list := trials(o)
	run := func(ctx context.Context, i int) error { return list[i].run(ctx, j) }
	if err := judge.ForEach(ctx, o.Concurrency, len(list), run, o.Done); err != nil {
		return nil, err
	}
	return report(j.Info(), list), nil
}
