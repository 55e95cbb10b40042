package generate

import (
	"context"
	"sync"

	"golang.org/x/sync/errgroup"
)

// Work calls do for each id, several at once. A problem with one id does not stop the
// others unless it is fatal (see [Fatal]); then, or when ctx ends, Work returns an error
// with the finished results. done, if not nil, receives the number of finished ids and
// their total.
func Work[T any](ctx context.Context, ids []string, concurrency int, do func(ctx context.Context, i int) (T, error),
	done func(done, total int),
) (results map[string]T, problems map[string]error, err error) {
	if concurrency <= 0 {
		concurrency = 10
	}
	results, problems = map[string]T{}, map[string]error{}
	var mu sync.Mutex
	g, gctx := errgroup.WithContext(ctx)
	g.SetLimit(concurrency)
	for i, id := range ids {
		g.Go(func() error {
			if err := gctx.Err(); err != nil {
				return err
			}
			result, err := do(gctx, i)
			if gctx.Err() != nil && err != nil {
				return gctx.Err()
			}
			if Fatal(err) {
				return err
			}
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				problems[id] = err
			} else {
				results[id] = result
			}
			if done != nil {
				done(len(results)+len(problems), len(ids))
			}
			return nil
		})
	}
	err = g.Wait()
	if err == nil {
		err = ctx.Err()
	}
	return results, problems, err
}
