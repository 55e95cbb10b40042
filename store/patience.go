package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync"
	"time"
)

// Patience says how long the work of a run waits for a database that cannot be
// reached, and who hears of it.
type Patience struct {
	// Limit is how long one outage may last.
	Limit time.Duration
	// Stop, when closed, ends the wait. nil never does.
	Stop <-chan struct{}
	// Now tells the time; it is required.
	Now func() time.Time
	// Tell hears in a few words that the database is away, once, and then that
	// it is back.
	Tell func(text string)
}

// Patient gives a view of the store for the work of a run: what creates, reads
// and updates the run, its records and its calls waits while the database cannot
// be reached, with growing pauses, and goes on when it can. What was under way
// when it went away is done exactly once. The lock of a run that was lost is
// taken again; when another has it meanwhile the error is [ErrLocked].
//
// A database in a file is never away.
func (s *Store) Patient(p Patience) *Store {
	return &Store{base: s.base, patience: &waiter{Patience: p}, calls: &callQueue{}}
}

// The pauses between attempts grow from first to longest, and none waits longer
// than attempt for an answer: a server that is cut off answers never.
const (
	firstPause   = 100 * time.Millisecond
	longestPause = 5 * time.Second
	attempt      = time.Minute
)

// A waiter is shared by all that wait.
type waiter struct {
	Patience
	mu sync.Mutex
	// away is set during an outage, which began at since, told when somebody
	// has heard of it.
	away, told bool
	since      time.Time
}

// wait waits before the next attempt, after n of them. It reports whether there
// is to be one.
func (w *waiter) wait(ctx context.Context, n int, err error) bool {
	now := w.Now()
	w.mu.Lock()
	if !w.away {
		w.away, w.since = true, now
	}
	// Connections that broke in an outage are found one by one when it is over,
	// which is not worth telling: others are to be had at once.
	if n > 1 && !w.told {
		w.told = true
		w.Tell(fmt.Sprintf("%v; the run waits, for %v at most", err, w.Limit))
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
		w.Tell(fmt.Sprintf("store %s: is back; the run goes on after %v", name, w.Now().Sub(w.since).Round(100*time.Millisecond)))
	}
}

// try performs f, again and again while the database is away and there is
// patience; again says that what an earlier attempt did is not known. f must
// not take long, unless it is a whole stream.
func (s *Store) try(ctx context.Context, f func(ctx context.Context, again bool) error) error {
	return s.attempts(ctx, attempt, f)
}

// stream is try for what may take long.
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

// holding is a run's lock that this store holds.
type holding struct {
	// mu lets one transaction after the other go through the lock.
	mu sync.Mutex
	holder
}

func (b *base) holding(runID string) *holding {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.held[runID]
}

// transact runs f in one transaction that changes a run, as long as the store
// has not lost a lock of it that it held. An error rolls it back.
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
			// The first error is the one to report.
			_ = tx.Rollback()
			return err
		}
		return s.explain(tx.Commit())
	})
}
