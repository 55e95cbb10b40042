package queue

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/rivertype"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/run"
	"github.com/assay-eval/assay/store"
)

// A Dispatcher has the cases of a run evaluated by workers. It implements [run.Dispatcher].
type Dispatcher struct {
	Queue *Queue
	// Run is the id of the run, which is locked by the session.
	Run string
	// Batch is the number of cases that a worker takes at once; below 1 means 16.
	Batch int
	// Priority is from 1, which workers take first, to 4; 0 means 2.
	Priority int
	// Host is the only machine whose workers can ask the target; "" for any.
	Host string
	// Tell receives what a user should know meanwhile, such as that a worker refuses the run.
	// It may be nil.
	Tell func(text string)
}

const (
	// batchSize is the default of [Dispatcher.Batch].
	batchSize = 16
	// poll is how often the records and the jobs of a run are looked at.
	poll = 100 * time.Millisecond
	// ahead is the least number of batches of a run that wait for a worker. Several runs have
	// about as many each, so that workers, who take the oldest, divide their time between them.
	ahead = 4
	// recordsAtOnce is the number of records that are read with one query.
	recordsAtOnce = 500
)

// Dispatch implements [run.Dispatcher].
func (d *Dispatcher) Dispatch(ctx context.Context, todo []int, stop <-chan struct{}) iter.Seq2[assay.Record, error] {
	return func(yield func(assay.Record, error) bool) {
		w := &dispatching{Dispatcher: d, ctx: ctx, open: make(map[int]bool, len(todo)), waiting: todo, jobs: map[int64][]int{}, told: map[string]bool{}}
		for _, seq := range todo {
			w.open[seq] = true
		}
		if err := w.run(stop, yield); err != nil && !errors.Is(err, errLeft) {
			yield(assay.Record{}, err)
		}
	}
}

// errLeft means that the consumer of the records has left.
var errLeft = errors.New("the consumer has left")

// dispatching is the work on one session of a run.
type dispatching struct {
	*Dispatcher
	ctx    context.Context
	client *river.Client[pgx.Tx]
	// open are the cases without a record, waiting those of them in no job, in their order.
	open    map[int]bool
	waiting []int
	// jobs are the cases of the jobs that may be worked on.
	jobs map[int64][]int
	// at is the position of the last record that was read.
	at int64
	// absent are the jobs whose worker was not there or had no lease at the last look, at its time.
	absent     map[int64]bool
	absentFrom time.Time
	told       map[string]bool
	// refusing is the number of workers that refuse the run, still that of looks in a row that
	// saw nobody work on it.
	refusing, still int
}

func (w *dispatching) run(stop <-chan struct{}, yield func(assay.Record, error) bool) (err error) {
	if w.client, err = w.Queue.client(riverpgxv5.New(w.Queue.pool), river.Config{}); err != nil {
		return err
	}
	if err := w.adopt(); err != nil {
		return err
	}
	tick := time.NewTicker(poll)
	defer tick.Stop()
	stopping := false
	for {
		if err := w.look(yield, stopping); err != nil {
			// Nobody waits for the records of the others; a resumed run finds them.
			return errors.Join(err, w.cancel(context.WithoutCancel(w.ctx), slices.Collect(maps.Keys(w.jobs))))
		}
		switch {
		case len(w.open) == 0:
			return nil
		case stopping && len(w.jobs) == 0:
			return run.ErrStopped
		}
		select {
		case <-tick.C:
		case <-stop:
			stop, stopping = nil, true
			if err := w.cancel(w.ctx, slices.Collect(maps.Keys(w.jobs))); err != nil {
				return err
			}
		case <-w.ctx.Done():
			return errors.Join(context.Cause(w.ctx), w.cancel(context.WithoutCancel(w.ctx), slices.Collect(maps.Keys(w.jobs))))
		}
	}
}

// look reads what workers have stored since the last look, puts back what they left, and gives
// them more.
func (w *dispatching) look(yield func(assay.Record, error) bool, stopping bool) error {
	// The jobs first: one that has ended before stored its records before.
	states, err := w.states()
	if err != nil {
		return err
	}
	if err := w.read(yield); err != nil {
		return err
	}
	if err := w.notes(); err != nil {
		return err
	}
	ended := 0
	workers := map[int64]string{}
	for id, cases := range w.jobs {
		s := states[id]
		switch s.State {
		case rivertype.JobStateRunning:
			workers[id] = s.Worker
			continue
		case rivertype.JobStateAvailable, rivertype.JobStateScheduled, rivertype.JobStateRetryable, rivertype.JobStatePending:
			continue
		case rivertype.JobStateDiscarded:
			return fmt.Errorf("workers failed on %d cases of the run, the last time with: %s", len(cases), s.Error)
		}
		// It ended, or its row is gone.
		ended++
		delete(w.jobs, id)
		var left []int
		for _, seq := range cases {
			if w.open[seq] {
				left = append(left, seq)
			}
		}
		w.waiting = append(left, w.waiting...)
	}
	running := len(workers)
	w.waits(running)
	if err := w.rescue(workers); err != nil {
		return err
	}
	if stopping {
		return nil
	}
	// Enough for the time until the next look, twice as much as ended in the last one.
	return w.fill(max(ahead, running, 2*ended) + running - len(w.jobs))
}

// A jobState is where a job stands.
type jobState struct {
	State rivertype.JobState
	// Worker is the id of the last one that worked on it, Error its last error.
	Worker, Error string
}

// states returns where the jobs stand.
func (w *dispatching) states() (map[int64]jobState, error) {
	out := make(map[int64]jobState, len(w.jobs))
	if len(w.jobs) == 0 {
		return out, nil
	}
	ids := slices.Collect(maps.Keys(w.jobs))
	err := w.query(func(rows pgx.Rows) error {
		var id int64
		var s jobState
		err := rows.Scan(&id, &s.State, &s.Worker, &s.Error)
		out[id] = s
		return err
	}, `SELECT id, state, coalesce(attempted_by[array_upper(attempted_by, 1)], ''),
		coalesce(errors[array_upper(errors, 1)]->>'error', '') FROM river_job WHERE id = ANY($1)`, ids)
	return out, err
}

// query calls f with each row of a query, waiting while the database is away.
func (w *dispatching) query(f func(pgx.Rows) error, query string, args ...any) error {
	return w.Queue.store.Try(w.ctx, func(ctx context.Context) error {
		rows, err := w.Queue.pool.Query(ctx, query, args...)
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			if err := f(rows); err != nil {
				return err
			}
		}
		return rows.Err()
	})
}

// read yields the records that were stored since the last call.
func (w *dispatching) read(yield func(assay.Record, error) bool) error {
	s := w.Queue.store
	for {
		var more []store.Kept
		if err := s.Try(w.ctx, func(ctx context.Context) (err error) {
			more, err = s.RecordsSince(ctx, w.Run, w.at, recordsAtOnce)
			return err
		}); err != nil || len(more) == 0 {
			return err
		}
		w.at = more[len(more)-1].Position
		var seqs []int
		for _, k := range more {
			if w.open[k.Record.Seq] { // else an earlier session has it
				seqs = append(seqs, k.Record.Seq)
			}
		}
		var records []assay.Record
		if err := s.Try(w.ctx, func(ctx context.Context) (err error) {
			records, err = s.RecordsAt(ctx, w.Run, seqs)
			return err
		}); err != nil {
			return err
		}
		for _, rec := range records {
			delete(w.open, rec.Seq)
			if !yield(rec, nil) {
				return errLeft
			}
		}
	}
}

// items returns what workers say about the run, of a kind.
func (w *dispatching) items(kind string) (items []store.Item, err error) {
	s := w.Queue.store
	err = s.Try(w.ctx, func(ctx context.Context) (err error) {
		items, _, err = s.Items(ctx, kind, store.ItemQuery{Parent: w.Run, Bodies: true})
		return err
	})
	return items, err
}

// notes tells what workers say about the run. The error is why it cannot go on.
func (w *dispatching) notes() error {
	for _, kind := range []string{kindTrouble, kindRefusal} {
		items, err := w.items(kind)
		if err != nil {
			return err
		}
		w.refusing = len(items) // the last kind counts
		for _, it := range items {
			var n note
			if err := json.Unmarshal(it.Body, &n); err != nil {
				return err
			}
			if kind == kindTrouble {
				return n.err()
			}
			if text := fmt.Sprintf("worker %s refuses the run: %s", n.Worker, n.Reason); !w.told[text] && w.Tell != nil {
				w.told[text] = true
				w.Tell(text)
			}
		}
	}
	return nil
}

// fill puts up to n batches into the queue.
func (w *dispatching) fill(n int) error {
	size, priority := w.Batch, w.Priority
	if size < 1 {
		size = batchSize
	}
	if priority == 0 {
		priority = 2
	}
	var jobs []river.InsertManyParams
	var cases [][]int
	for ; n > 0 && len(w.waiting) > 0; n-- {
		var some []int
		for len(some) < size && len(w.waiting) > 0 {
			if seq := w.waiting[0]; w.open[seq] {
				some = append(some, seq)
			}
			w.waiting = w.waiting[1:]
		}
		if len(some) == 0 {
			break
		}
		cases = append(cases, some)
		jobs = append(jobs, river.InsertManyParams{Args: batch{w.Run, some, w.Host}, InsertOpts: &river.InsertOpts{
			Queue: casesQueue, Priority: priority, MaxAttempts: attempts}})
	}
	if len(jobs) == 0 {
		return nil
	}
	// If the reply is lost, the batch is in the queue twice, and its records are stored once.
	err := w.Queue.store.Try(w.ctx, func(ctx context.Context) error {
		done, err := w.client.InsertMany(ctx, jobs)
		for i, r := range done {
			w.jobs[r.Job.ID] = cases[i]
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("queue: %w", err)
	}
	return nil
}

// attempts is how often workers begin a batch that ends with an error, before the run ends.
const attempts = 10

// adopt takes up the jobs that an earlier session of the run left, and forgets what workers said
// to it.
func (w *dispatching) adopt() error {
	for _, kind := range []string{kindTrouble, kindRefusal} {
		items, err := w.items(kind)
		if err != nil {
			return err
		}
		for _, it := range items {
			err := w.Queue.store.Try(w.ctx, func(ctx context.Context) error { return w.Queue.store.DeleteItem(ctx, kind, it.ID) })
			if err != nil && !errors.Is(err, store.ErrNotFound) {
				return err
			}
		}
	}
	taken := map[int]bool{}
	err := w.query(func(rows pgx.Rows) error {
		var id int64
		var args batch
		err := rows.Scan(&id, &args)
		w.jobs[id] = args.Cases
		for _, seq := range args.Cases {
			taken[seq] = true
		}
		return err
	}, `SELECT id, args FROM river_job WHERE kind = $1 AND args @> jsonb_build_object('run', $2::text) AND finalized_at IS NULL`,
		batch{}.Kind(), w.Run)
	w.waiting = slices.DeleteFunc(slices.Clone(w.waiting), func(seq int) bool { return taken[seq] })
	return err
}

// cancel ends jobs. Workers finish the cases in flight.
func (w *dispatching) cancel(ctx context.Context, jobs []int64) error {
	var errs []error
	for _, id := range jobs {
		err := w.Queue.store.Try(ctx, func(ctx context.Context) error {
			_, err := w.client.JobCancel(ctx, id)
			return err
		})
		if err != nil && !errors.Is(err, rivertype.ErrNotFound) {
			errs = append(errs, fmt.Errorf("queue: %w", err))
		}
	}
	return errors.Join(errs...)
}
