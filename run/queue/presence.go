package queue

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/assay-eval/assay/store"
)

// A worker is there while it holds a claim in the database, which ends with its connection: at
// once when its process dies, and after [store.Unanswered] when its machine or network is gone.
// A worker that lost its connection takes the claim again.
func presence(worker string) string { return "worker " + worker }

// absence is the time between two looks for a worker, both of which must find it absent before
// its jobs go to others. It is longer than a worker takes to connect again after the database was
// away, which is the longest pause between its attempts, 5 s, and a little. The jobs of a
// worker whose machine is gone go to others after store.Unanswered and at most two of these: 27 s.
const absence = 8 * time.Second

// present keeps the claim of a worker until ctx is done.
func present(ctx context.Context, s *store.Store, worker string) error {
	release, err := claim(ctx, s, presence(worker))
	if err != nil {
		return err
	}
	pause := time.NewTicker(absence / 4)
	defer pause.Stop()
	for {
		select {
		case <-pause.C:
		case <-ctx.Done():
			return release()
		}
		there, err := s.Claimed(ctx, presence(worker))
		if err != nil || there {
			continue // the next look may reach the database
		}
		_ = release() // the connection is lost
		release, err = claim(ctx, s, presence(worker))
		switch {
		case ctx.Err() != nil && err != nil:
			return nil
		case errors.Is(err, store.ErrAway):
			release = func() error { return nil }
		case err != nil:
			return err
		}
	}
}

// rescue puts the jobs of workers that have ended back into the queue.
func (w *dispatching) rescue(workers []string) error {
	slices.Sort(workers)
	now := time.Now() //nolint:forbidigo // workers of other machines are watched by the clock of this one
	if len(workers) == 0 || now.Sub(w.absentFrom) < absence {
		return nil
	}
	before := w.absent
	w.absent = map[string]bool{}
	// From the end of the look, which waits while the database is away: its workers need the
	// time to connect again, too.
	defer func() { w.absentFrom = time.Now() }() //nolint:forbidigo // as above
	for _, worker := range slices.Compact(workers) {
		there, err := w.Queue.store.Claimed(w.ctx, presence(worker))
		if err != nil {
			return err
		}
		if there {
			continue
		}
		if !before[worker] {
			w.absent[worker] = true
			continue
		}
		err = w.query(func(pgx.Rows) error { return nil }, `UPDATE river_job SET state = 'available', scheduled_at = now(),
			attempt = greatest(attempt - 1, 0) WHERE kind = $1 AND state = 'running' AND attempted_by[array_upper(attempted_by, 1)] = $2`,
			batch{}.Kind(), worker)
		if err != nil {
			return err
		}
		if w.Tell != nil {
			w.Tell("worker " + worker + " has ended: others go on with its cases")
		}
	}
	return nil
}
