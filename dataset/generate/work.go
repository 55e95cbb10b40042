package generate

import (
	"context"
	"encoding/json"
	"errors"
	"sync"

	"golang.org/x/sync/errgroup"
)

// Work calls do for each id, several at once, and stores every result in the
// journal. Results in kept are reused. With a nil journal nothing is stored. A
// problem with one id does not stop the others unless it is fatal (see [Fatal]);
// then, or when ctx ends, Work returns an error with the finished results. done,
// if not nil, receives the number of finished ids and their total.
func Work[T any](ctx context.Context, ids []string, concurrency int, j *Journal, kept map[string]json.RawMessage,
	do func(ctx context.Context, i int) (T, error), done func(done, total int),
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
			result, err := once(gctx, j, kept[id], id, func() (T, error) { return do(gctx, i) })
			if gctx.Err() != nil && err != nil {
				return gctx.Err()
			}
			if unkept := (keepError{}); Fatal(err) || errors.As(err, &unkept) {
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

// once returns the stored result, or computes and stores it.
func once[T any](ctx context.Context, j *Journal, kept json.RawMessage, id string, do func() (T, error)) (result T, err error) {
	if kept != nil && json.Unmarshal(kept, &result) == nil {
		return result, nil
	}
	if err := ctx.Err(); err != nil {
		return result, err
	}
	if result, err = do(); err != nil || j == nil {
		return result, err
	}
	if err := j.Put(id, result); err != nil {
		return result, keepError{err}
	}
	return result, nil
}

// keepError means that the journal cannot be written.
type keepError struct{ error }

// Unwrap returns the cause.
func (e keepError) Unwrap() error { return e.error }
