package attack

import (
	"context"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/assay-eval/assay/judge"
)

// Perform runs the steps, at most concurrency at once. It stops at the first fatal
// error of a judge; other errors are for the steps to record. done, if it is set, is
// told how many of the steps are finished, one call at a time.
func Perform(ctx context.Context, concurrency int, steps []func(context.Context) error, done func(finished, total int)) error {
	g, gctx := errgroup.WithContext(ctx)
	g.SetLimit(concurrency)
	var mu sync.Mutex
	finished := 0
	for _, s := range steps {
		g.Go(func() error {
			if err := gctx.Err(); err != nil {
				return err
			}
			if err := s(gctx); judge.Fatal(err) {
				return err
			}
			mu.Lock()
			defer mu.Unlock()
			finished++
			if done != nil && gctx.Err() == nil {
				done(finished, len(steps))
			}
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		return err
	}
	return ctx.Err()
}
