package generate

import (
	"context"
	"sync"

	"github.com/assay-eval/assay/judge"
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
	err = judge.ForEach(ctx, concurrency, len(ids), func(ctx context.Context, i int) error {
		result, err := do(ctx, i)
		if ctx.Err() != nil && err != nil {
			return ctx.Err()
		}
		if Fatal(err) {
			return err
		}
		mu.Lock()
		defer mu.Unlock()
		if err != nil {
			problems[ids[i]] = err
		} else {
			results[ids[i]] = result
		}
		return nil
	}, done)
	return results, problems, err
}
