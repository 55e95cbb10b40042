package generate

import (
	"context"
	"encoding/json"
	"errors"
	"sync"

	"golang.org/x/sync/errgroup"
)

// Work does something for each of a list of ids, some at once, and keeps every
// result in the journal before it counts. Results that the journal held already
// are taken from kept. A nil journal keeps nothing. A problem of one id does not
// stop the others, unless it is fatal (see [Fatal]): then, or when ctx ends, err
// says so, beside what was finished. done, if it is set, hears how many ids of
// how many are finished.
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

// once gives the result that is kept, or a new one that then is.
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

// keepError is a journal that cannot be written: nothing more can be kept.
type keepError struct{ error }

// Unwrap returns the cause.
func (e keepError) Unwrap() error { return e.error }
