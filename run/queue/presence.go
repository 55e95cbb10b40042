package queue

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

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

// A batch is its worker's own while it has a lease in the database. The worker renews the lease
// only while cases of the batch end, so that a worker that is stopped, cut off or stuck loses it
// although the database has a connection of its machine.
func leaseOf(job int64) string { return fmt.Sprint("batch ", job) }

// silence is how long a batch may take, beside the time limits of the target, without the end of
// a case before its worker is stuck.
const silence = 15 * time.Minute

// beat renews the lease of a batch. lost is set if the batch has been given to others.
func (w *Worker) beat(ctx context.Context, job int64) (lost bool) {
	ctx, cancel := context.WithTimeout(ctx, renewal)
	defer cancel()
	done, err := w.Queue.pool.Exec(ctx, `INSERT INTO assay_holders SELECT $1, clock_timestamp() + make_interval(secs => $2) FROM river_job
		WHERE id = $3 AND state = 'running' AND attempted_by[array_upper(attempted_by, 1)] = $4
		ON CONFLICT (holder) DO UPDATE SET until = excluded.until`, leaseOf(job), lease.Seconds(), job, w.ID)
	return err == nil && done.RowsAffected() == 0
}

// leasedOf returns those of the holders that have a lease, or those whose lease has lapsed.
func leasedOf(ctx context.Context, pool *pgxpool.Pool, holders []string, lapsed bool) (map[string]bool, error) {
	rows, err := pool.Query(ctx, `SELECT holder FROM assay_holders WHERE holder = ANY($1) AND (until <= clock_timestamp()) = $2`, holders, lapsed)
	if err != nil {
		return nil, err
	}
	out := map[string]bool{}
	var holder string
	_, err = pgx.ForEachRow(rows, []any{&holder}, func() error {
		out[holder] = true
		return nil
	})
	return out, err
}

// rescue takes jobs away from workers that have ended or do not respond. Their cases go back into
// the queue as other jobs, so that a worker that wakes up cannot end the job of another.
func (w *dispatching) rescue(running map[int64]string) error {
	now := time.Now() //nolint:forbidigo // workers of other machines are watched by the clock of this one
	if len(running) == 0 || now.Sub(w.absentFrom) < absence {
		return nil
	}
	before := w.absent
	w.absent = map[int64]bool{}
	// From the end of the look, which waits while the database is away: its workers need the
	// time to connect again, too.
	defer func() { w.absentFrom = time.Now() }() //nolint:forbidigo // as above
	var leases []string
	for id := range running {
		leases = append(leases, leaseOf(id))
	}
	var leased map[string]bool
	err := w.Queue.store.Try(w.ctx, func(ctx context.Context) (err error) {
		leased, err = leasedOf(ctx, w.Queue.pool, leases, false)
		return err
	})
	if err != nil {
		return err
	}
	there, err := presentOf(w.ctx, w.Queue.store, slices.Collect(maps.Values(running)))
	if err != nil {
		return err
	}
	var gone []int64
	told := map[string]bool{}
	for id, worker := range running {
		if there[worker] && leased[leaseOf(id)] {
			continue
		}
		if !before[id] {
			w.absent[id] = true
			continue
		}
		gone = append(gone, id)
		if why := map[bool]string{false: "has ended", true: "does not respond"}[there[worker]]; !told[worker] && w.Tell != nil {
			told[worker] = true
			w.Tell("worker " + worker + " " + why + ": others take over its cases")
		}
	}
	if len(gone) == 0 {
		return nil
	}
	// A worker that wakes up hears that it is to start no more cases.
	if err := w.cancel(w.ctx, gone); err != nil {
		return err
	}
	return w.query(func(pgx.Rows) error { return nil },
		`UPDATE river_job SET state = 'cancelled', finalized_at = now() WHERE id = ANY($1) AND state = 'running'`, gone)
}
