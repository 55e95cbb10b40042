package queue

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river/riverdriver"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/rivertype"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/store"
)

// A RefusedError says why a worker cannot evaluate a run that others may.
type RefusedError struct{ Err error }

// Error returns the reason.
func (e *RefusedError) Error() string { return e.Err.Error() }

// Unwrap returns the cause.
func (e *RefusedError) Unwrap() error { return e.Err }

const (
	// refusal is how long a worker takes no batch of a run that it refuses, unless the run is
	// resumed meanwhile. Then it takes one, puts it back, and prepares the run again.
	refusal = time.Minute
	// remembered is how long a refusal is kept, so that the same reason is not told again.
	remembered = time.Hour
)

// refusals are the runs that a worker refuses, by their ids.
type refusals struct {
	mu sync.Mutex
	of map[string]refused
}

// A refused run is one that a worker refuses.
type refused struct {
	reason string
	at     time.Time
	// looking says that the worker is preparing the run again.
	looking bool
}

// add keeps a refusal, and reports whether its reason is new.
func (r *refusals) add(run, reason string, now time.Time) (isNew bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.of == nil {
		r.of = map[string]refused{}
	}
	maps.DeleteFunc(r.of, func(_ string, one refused) bool { return now.Sub(one.at) > remembered })
	isNew = r.of[run].reason != reason
	r.of[run] = refused{reason: reason, at: now}
	return isNew
}

// has reports whether a run was refused.
func (r *refusals) has(run string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	_, ok := r.of[run]
	return ok
}

// forget ends the refusal of a run.
func (r *refusals) forget(run string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.of, run)
}

// look reports whether the caller is to prepare a refused run again: it was refused before
// the time, and nobody else prepares it.
func (r *refusals) look(run string, before time.Time) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	one, ok := r.of[run]
	if !ok || one.looking || one.at.After(before) {
		return false
	}
	one.looking = true
	r.of[run] = one
	return true
}

// left returns the runs of which no batch is taken: looking are being prepared again, told are
// refused for less than a minute, as long as the session of the run knows it.
func (r *refusals) left(now time.Time) (looking, told []string) {
	looking, told = []string{}, []string{} // as parameters, nil would be NULL
	r.mu.Lock()
	defer r.mu.Unlock()
	for run, one := range r.of {
		switch {
		case one.looking:
			looking = append(looking, run)
		case now.Sub(one.at) < refusal:
			told = append(told, run)
		}
	}
	return looking, told
}

// refuse tells a refusal to the session of the run and, if its reason is new, to the user of
// the worker.
func (w *Worker) refuse(ctx context.Context, run string, err *RefusedError) error {
	if err := w.tell(ctx, kindRefusal, run, note{Worker: w.ID, Reason: err.Error()}); err != nil {
		return err
	}
	if w.refused.add(run, err.Error(), w.Now()) {
		w.say(fmt.Sprintf("run %s is left to other workers: %v", run, err))
	}
	return nil
}

// leaves reports whether a batch is left to others because the worker refused the run before.
// Where the refusal is old, or the run was resumed since, it prepares the run again without
// holding the batch.
func (w *Worker) leaves(ctx context.Context, h assay.Header, host string) (bool, error) {
	if !w.refused.has(h.ID) {
		return false, nil
	}
	before := w.Now().Add(-refusal)
	_, err := w.Queue.store.Item(ctx, kindRefusal, noteID(h.ID, w.ID))
	switch {
	case errors.Is(err, store.ErrNotFound):
		before = w.Now() // the session that was told has ended
	case err != nil:
		return true, err
	}
	if w.refused.look(h.ID, before) {
		w.looking.Go(func() { w.lookAgain(ctx, h, host) })
	}
	return true, nil
}

// lookAgain prepares a refused run again. If it is not refused any more, or there is another
// error, the next batch is taken.
func (w *Worker) lookAgain(ctx context.Context, h assay.Header, host string) {
	_, release, err := w.prepared(ctx, h, host)
	var still *RefusedError
	if errors.As(err, &still) && w.refuse(ctx, h.ID, still) == nil {
		return
	}
	if err == nil {
		_ = w.Queue.store.DeleteItem(ctx, kindRefusal, noteID(h.ID, w.ID)) // it is only told
		release()
	}
	w.refused.forget(h.ID)
}

// A choosingDriver is River's driver for a worker that leaves the batches of some runs where
// they are.
type choosingDriver struct {
	*riverpgxv5.Driver
	pool *pgxpool.Pool
	w    *Worker
}

// GetExecutor implements [riverdriver.Driver].
func (d *choosingDriver) GetExecutor() riverdriver.Executor {
	return &choosing{d.Driver.GetExecutor(), d}
}

// choosing is the executor of a [choosingDriver].
type choosing struct {
	riverdriver.Executor
	driver *choosingDriver
}

// JobGetAvailable takes the batches that come next, except for those of runs that the worker
// refuses. River itself takes them if there are none: it can choose by queue and kind only.
func (e *choosing) JobGetAvailable(ctx context.Context, p *riverdriver.JobGetAvailableParams) (*riverdriver.JobGetAvailableResult, error) {
	w := e.driver.w
	looking, told := w.refused.left(w.Now())
	if len(looking)+len(told) == 0 {
		return e.Executor.JobGetAvailable(ctx, p)
	}
	var jobs []*rivertype.JobRow
	err := pgx.BeginFunc(ctx, e.driver.pool, func(tx pgx.Tx) error {
		rows, err := tx.Query(ctx, `UPDATE river_job SET state = 'running', attempt = attempt + 1, attempted_at = now(),
			attempted_by = array_append(attempted_by[coalesce(array_length(attempted_by, 1), 0) + 2 - $1:], $2)
			WHERE id IN (SELECT id FROM river_job AS job WHERE state = 'available' AND queue = $3 AND kind = $4 AND scheduled_at <= now()
				AND args->>'run' <> ALL($5) AND NOT (args->>'run' = ANY($6) AND EXISTS (
					SELECT 1 FROM items WHERE items.kind = $7 AND items.id = args->>'run' || $8))
				ORDER BY priority, scheduled_at, id LIMIT $9 FOR UPDATE OF job SKIP LOCKED)
			RETURNING id`,
			p.MaxAttemptedBy, p.ClientID, p.Queue, batch{}.Kind(), looking, told, kindRefusal, noteID("", w.ID), p.MaxToLock)
		if err != nil {
			return err
		}
		ids, err := pgx.CollectRows(rows, pgx.RowTo[int64])
		if err != nil || len(ids) == 0 {
			return err
		}
		jobs, err = e.driver.UnwrapExecutor(tx).JobGetByIDMany(ctx, &riverdriver.JobGetByIDManyParams{ID: ids, Schema: p.Schema})
		return err
	})
	if err != nil {
		return nil, err
	}
	return &riverdriver.JobGetAvailableResult{Jobs: jobs}, nil
}

// waits tells once that the run waits because workers refuse it: several looks in a row saw no
// batch that is worked on.
func (w *dispatching) waits(running int) {
	if running > 0 || w.refusing == 0 {
		w.still = 0
		return
	}
	if w.still++; w.still == stillLooks && w.Tell != nil {
		w.Tell(fmt.Sprintf("no worker takes cases of the run, and %d have refused it: the run waits for one that does not", w.refusing))
	}
}

// stillLooks is the number of looks in a row without a batch that is worked on, after which a
// run is said to wait: five seconds.
const stillLooks = int(5 * time.Second / poll)
