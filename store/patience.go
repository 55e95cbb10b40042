package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/assay-eval/assay"
)

// Patience describes how long the work of a run waits for an unreachable database, and
// who is notified.
type Patience struct {
	// Limit is the maximum duration of one outage.
	Limit time.Duration
	// Stop, when closed, ends the wait. nil never does.
	Stop <-chan struct{}
	// Now is the clock; it is required.
	Now func() time.Time
	// Tell is called once with a short text when the database is unreachable, and again
	// when it is back.
	Tell func(text string)
}

// Patient returns a view of the store for the work of a run: operations that create,
// read and update the run, its records and its calls wait while the database is
// unreachable, with growing pauses. An operation that was interrupted is executed
// exactly once. A lost lock of a run is acquired again; if another process has it by
// then, the error is [ErrLocked].
//
// A database in a file is always reachable.
func (s *Store) Patient(p Patience) *Store {
	return &Store{base: s.base, patience: &waiter{Patience: p}, calls: &queue[assay.Call]{}, answers: &queue[answers]{}}
}

// The pauses between attempts grow from first to longest. No attempt waits longer than
// attempt: a server that is cut off never answers.
const (
	firstPause   = 100 * time.Millisecond
	longestPause = 5 * time.Second
	attempt      = time.Minute
)

// A waiter is shared by all waiting operations.
type waiter struct {
	Patience
	mu sync.Mutex
	// away is set during an outage, which began at since; told is set once it was
	// reported.
	away, told bool
	since      time.Time
}

// wait pauses before the next attempt, after n attempts. It reports whether to make
// another.
func (w *waiter) wait(ctx context.Context, n int, err error) bool {
	now := w.Now()
	w.mu.Lock()
	if !w.away {
		w.away, w.since = true, now
	}
	// After an outage, broken connections are found one by one. They are not reported,
	// since they can be replaced at once.
	if n > 1 && !w.told {
		w.told = true
		w.Tell(fmt.Sprintf("%v; the run waits for up to %v", err, w.Limit))
	}
	since := w.since
	w.mu.Unlock()
	left := w.Limit - now.Sub(since)
	if left <= 0 {
		return false
	}
	t := time.NewTimer(min(firstPause<<min(n-1, 10), longestPause, left))
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-w.Stop:
	case <-ctx.Done():
	}
	return false
}

// back ends an outage.
func (w *waiter) back(name string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	told := w.told
	w.away, w.told = false, false
	if told {
		w.Tell(fmt.Sprintf("store %s: is back; the run continues after %v", name, w.Now().Sub(w.since).Round(100*time.Millisecond)))
	}
}

// try runs f repeatedly while the database is away and the patience lasts; again says
// that the effect of an earlier attempt is unknown. f must be short; for a long
// operation use stream.
func (s *Store) try(ctx context.Context, f func(ctx context.Context, again bool) error) error {
	return s.attempts(ctx, attempt, f)
}

// stream is try for long operations.
func (s *Store) stream(ctx context.Context, f func(ctx context.Context, again bool) error) error {
	return s.attempts(ctx, 0, f)
}

func (s *Store) attempts(ctx context.Context, limit time.Duration, f func(ctx context.Context, again bool) error) error {
	if s.patience == nil {
		return f(ctx, false)
	}
	for n := 1; ; n++ {
		one, cancel := ctx, context.CancelFunc(func() {})
		if limit > 0 {
			one, cancel = context.WithTimeout(ctx, limit)
		}
		err := f(one, n > 1)
		cancel()
		switch {
		case err == nil:
			s.patience.back(s.Name())
			return nil
		case ctx.Err() != nil || !s.db.away(err):
			return err
		case !s.patience.wait(ctx, n, s.explain(err)):
			return err
		}
	}
}

// holding is the lock of a run held by this store.
type holding struct {
	// mu serialises the transactions under the lock.
	mu sync.Mutex
	holder
}

func (b *base) holding(runID string) *holding {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.held[runID]
}

// transact runs f in a transaction that changes a run, unless the store has lost a lock
// of the run that it held. An error rolls it back.
func (s *Store) transact(ctx context.Context, runID string, f func(ctx context.Context, tx *sql.Tx, again bool) error) error {
	return s.try(ctx, func(ctx context.Context, again bool) (err error) {
		begin := func(ctx context.Context) (*sql.Tx, error) { return s.write.BeginTx(ctx, nil) }
		if h := s.holding(runID); h != nil {
			h.mu.Lock()
			defer h.mu.Unlock()
			begin = func(ctx context.Context) (*sql.Tx, error) { return h.begin(ctx, s.write) }
			defer func() {
				if err != nil {
					h.failed(err)
				}
			}()
		}
		tx, err := begin(ctx)
		if errors.Is(err, ErrLocked) {
			return fmt.Errorf("run %q: the lock was lost with the connection: %w", runID, err)
		}
		if err != nil {
			return s.explain(err)
		}
		if err := f(ctx, tx, again); err != nil {
			// the first error is the one to report
			_ = tx.Rollback()
			return err
		}
		return s.explain(tx.Commit())
	})
}
