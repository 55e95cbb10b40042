package judge

import (
	"context"
	"sync"

	"golang.org/x/sync/errgroup"
)

// ForEach calls do for 0 to n-1, at most limit at once, until one fails or ctx ends. done, if it
// is set, is told how many are finished, one call at a time.
func ForEach(ctx context.Context, limit, n int, do func(ctx context.Context, i int) error, done func(finished, total int)) error {
	g, within := errgroup.WithContext(ctx)
	g.SetLimit(max(1, limit))
	var mu sync.Mutex
	finished := 0
	for i := range n {
		g.Go(func() error {
			if err := within.Err(); err != nil {
				return err
			}
			if err := do(within, i); err != nil {
				return err
			}
			mu.Lock()
			defer mu.Unlock()
			finished++
			if done != nil && within.Err() == nil {
				done(finished, n)
			}
			return nil
		})
	}
	return g.Wait()
}
