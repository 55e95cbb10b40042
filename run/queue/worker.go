package queue

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/run"
	"github.com/assay-eval/assay/store"
)

// A Worker evaluates batches of the runs in a queue.
type Worker struct {
	Queue *Queue
	// Host is the name of the machine, ID names the worker among all, Version is that of assay.
	Host, ID, Version string
	// Batches is the number of batches at once; below 1 means 2, so that one is evaluated while
	// the last cases of another are waited for.
	Batches int
	// Prepare prepares a run from its header. A [RefusedError] says why this worker cannot take
	// part; the worker tells it once, and looks again after a minute and when the run is resumed.
	Prepare func(ctx context.Context, h assay.Header) (Evaluation, error)
	// Tell receives why the worker takes no part in a run. It may be nil.
	Tell func(text string)
	// Now is the clock.
	Now func() time.Time

	mu   sync.Mutex
	open map[string]*opened

	refused refusals
	// looking prepares refused runs again.
	looking sync.WaitGroup
}

// An Evaluation is a run that a worker has prepared.
type Evaluation interface {
	// Config returns the configuration of the engine for a batch that begins now. The worker
	// sets Only, Answered, Recorder, Answers and Stop.
	Config(ctx context.Context) (run.Config, error)
	// Learned returns what was learned so far, its warnings sorted. It is safe for concurrent use.
	Learned() Learned
	Close() error
}

// idle is how long a run stays prepared when its last batch has ended.
const idle = 30 * time.Second

// Run evaluates batches until stop is closed, and then finishes the cases in flight. It returns
// early if ctx is done.
func (w *Worker) Run(ctx context.Context, stop <-chan struct{}) (err error) {
	workers := river.NewWorkers()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	river.AddWorker(workers, &evaluator{w: w, stop: stop})
	batches := w.Batches
	if batches < 1 {
		batches = 2
	}
	s := w.Queue.store
	if err := s.Try(ctx, func(ctx context.Context) error { return w.register(ctx, batches) }); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.unregister(context.WithoutCancel(ctx))) }()
	// The presence outlives the batches: until they have ended, nobody else may take them.
	here, leave := context.WithCancel(context.WithoutCancel(ctx))
	var watching sync.WaitGroup
	watching.Go(func() {
		if err := present(here, w.Queue.store, w.ID); err != nil {
			cancel(fmt.Errorf("queue: worker %s: %w", w.ID, err))
		}
	})
	defer watching.Wait()
	defer leave()
	defer w.closeAll()
	defer w.looking.Wait()
	var client *river.Client[pgx.Tx]
	// The database can go away while the worker starts.
	err = w.Queue.store.Try(ctx, func(context.Context) (err error) {
		client, err = w.Queue.client(&choosingDriver{riverpgxv5.New(w.Queue.pool), w.Queue.pool, w}, river.Config{
			ID: w.ID, Workers: workers, Queues: map[string]river.QueueConfig{casesQueue: {MaxWorkers: batches}},
			FetchCooldown: 50 * time.Millisecond, FetchPollInterval: 500 * time.Millisecond, MaxAttempts: attempts,
		})
		if err != nil {
			return err
		}
		return client.Start(context.WithoutCancel(ctx))
	})
	if err != nil {
		return fmt.Errorf("queue: %w", err)
	}
	select {
	case <-stop:
		return client.Stop(context.WithoutCancel(ctx))
	case <-ctx.Done():
		return errors.Join(context.Cause(ctx), client.StopAndCancel(context.WithoutCancel(ctx)))
	}
}

// An evaluator works the jobs of a worker.
type evaluator struct {
	river.WorkerDefaults[batch]
	w    *Worker
	stop <-chan struct{}
}

// NextRetry implements [river.Worker].
func (e *evaluator) NextRetry(*river.Job[batch]) time.Time { return e.w.Now().Add(time.Second) }

// Work implements [river.Worker].
func (e *evaluator) Work(ctx context.Context, job *river.Job[batch]) error {
	w := e.w
	// A batch that is cancelled finishes its cases in flight.
	keep := context.WithoutCancel(ctx)
	stop := make(chan struct{})
	ended := make(chan struct{})
	var alive atomic.Int64
	moved := func(next time.Duration) { alive.Store(w.Now().Add(silence + next).UnixNano()) }
	moved(0)
	var watching sync.WaitGroup
	watching.Go(func() { e.watch(ctx, job.ID, &alive, stop, ended) })
	defer watching.Wait()
	defer close(ended)

	h, err := w.Queue.store.Run(keep, job.Args.Run)
	switch {
	case errors.Is(err, store.ErrNotFound):
		return river.JobCancel(err)
	case err != nil:
		return err
	case h.State != "running":
		return river.JobCancel(fmt.Errorf("the run is %s", h.State))
	}
	if leaves, err := w.leaves(keep, h, job.Args.Host); leaves || err != nil {
		return errors.Join(err, river.JobSnooze(0))
	}
	one, release, err := w.prepared(keep, h, job.Args.Host)
	if err == nil {
		err = w.evaluate(keep, one, job.Args, stop, moved)
		release()
	}
	var refused *RefusedError
	switch {
	case err == nil, errors.Is(err, run.ErrStopped):
		return nil // the dispatcher sees which cases are left
	case errors.As(err, &refused):
		return errors.Join(w.refuse(keep, h.ID, refused), river.JobSnooze(0))
	case errors.Is(err, store.ErrAway):
		return err // it is begun again when the database is back
	}
	// Others would fail too.
	w.say(fmt.Sprintf("run %s: %v", h.ID, err))
	return errors.Join(w.tell(keep, kindTrouble, h.ID, noteOf(w.ID, err)), river.JobCancel(err))
}

// watch keeps the lease of a batch until it has ended, as long as alive is ahead. It closes stop
// when the batch is to start no more cases.
func (e *evaluator) watch(ctx context.Context, job int64, alive *atomic.Int64, stop, ended chan struct{}) {
	keep := context.WithoutCancel(ctx)
	defer func() { _, _ = e.w.Queue.pool.Exec(keep, `DELETE FROM assay_holders WHERE holder = $1`, leaseOf(job)) }()
	end := sync.OnceFunc(func() { close(stop) })
	tick := time.NewTicker(renewal)
	defer tick.Stop()
	cancelled, stopped := ctx.Done(), e.stop
	for {
		if e.w.Now().UnixNano() < alive.Load() && e.w.beat(keep, job) {
			end()
		}
		select {
		case <-tick.C:
		case <-cancelled:
			cancelled = nil
			end()
		case <-stopped:
			stopped = nil
			end()
		case <-ended:
			return
		}
	}
}

// say tells the user of the worker.
func (w *Worker) say(text string) {
	if w.Tell != nil {
		w.Tell(text)
	}
}

// tell stores a note for the session of a run.
func (w *Worker) tell(ctx context.Context, kind, runID string, n note) error {
	body, err := json.Marshal(n)
	if err != nil {
		return err
	}
	now := w.Now()
	s := w.Queue.store
	return s.Try(ctx, func(ctx context.Context) error {
		return s.PutItem(ctx, store.Item{Kind: kind, ID: noteID(runID, w.ID), Parent: runID, Created: now, Updated: now, Body: body})
	})
}

// evaluate runs the engine on the cases of a batch that have no record yet. It calls moved when a
// case ends, with the time that the target may take for the next.
func (w *Worker) evaluate(ctx context.Context, one *opened, b batch, stop <-chan struct{}, moved func(time.Duration)) (err error) {
	tell := func(ctx context.Context) error { return one.learning.tell(ctx, w, b.Run, one.Learned()) }
	// What ends a run early is learned without a record.
	defer func() { err = errors.Join(err, tell(ctx)) }()
	s := w.Queue.store
	recorded, err := s.Recorded(ctx, b.Run, b.Cases)
	if err != nil {
		return err
	}
	cfg, err := one.Config(ctx)
	if err != nil {
		return err
	}
	cfg.Only = slices.DeleteFunc(slices.Clone(b.Cases), func(seq int) bool { return recorded[seq] })
	if len(cfg.Only) == 0 {
		return nil
	}
	n, err := s.Counts(ctx, b.Run)
	if err != nil {
		return err
	}
	if n.Records > n.Failed {
		// The target was reached, and a judge has ruled: failures are those of cases.
		cfg.Breaker = 0
	}
	cfg.Recorder, cfg.Answers, cfg.Stop = telling{once{s, b.Run}, tell}, run.KeepAnswers(s, b.Run), stop
	cfg.Answered = s.AnswersTo(ctx, b.Run, cfg.Only)
	next := time.Duration(cfg.Retries+1) * (cfg.Timeout + cfg.MaxWait)
	moved(next)
	for _, err := range run.Run(ctx, cfg) {
		if err != nil {
			return err
		}
		moved(next)
	}
	return nil
}

// once stores records of cases that nobody else has finished meanwhile.
type once struct {
	store *store.Store
	run   string
}

// Put implements [run.Recorder].
func (o once) Put(ctx context.Context, recs ...assay.Record) error {
	err := o.store.Put(ctx, o.run, recs...)
	if !errors.Is(err, store.ErrExists) {
		return err
	}
	for _, r := range recs {
		if err := o.store.Put(ctx, o.run, r); err != nil && !errors.Is(err, store.ErrExists) {
			return err
		}
	}
	return nil
}

// opened is a prepared run, which its batches share.
type opened struct {
	ready chan struct{}
	// settings are those that the run was prepared with.
	settings map[string]string
	Evaluation
	learning learning
	err      error
	// users counts the batches; ends closes it if there are none for a while.
	users int
	ends  *time.Timer
}

// prepared returns a run that is prepared by its first batch. release must be called when the
// batch has ended.
func (w *Worker) prepared(ctx context.Context, h assay.Header, host string) (_ *opened, release func(), err error) {
	if host != "" && host != w.Host {
		return nil, nil, &RefusedError{fmt.Errorf("its target is a program of the machine %s, and other machines may have another version of it: "+
			"use a worker there", host)}
	}
	w.mu.Lock()
	if w.open == nil {
		w.open = map[string]*opened{}
	}
	o := w.open[h.ID]
	// A resumed run may have other settings than it was prepared with; batches of before end as they began.
	first := o == nil || !maps.Equal(o.settings, h.Config)
	if first {
		if o != nil && o.users == 0 && o.ends != nil && o.ends.Stop() {
			o.ends.Reset(0)
		}
		o = &opened{ready: make(chan struct{}), settings: h.Config}
		w.open[h.ID] = o
	}
	o.users++
	if o.ends != nil {
		o.ends.Stop()
	}
	w.mu.Unlock()
	if first {
		o.Evaluation, o.err = w.Prepare(ctx, h)
		close(o.ready)
	}
	<-o.ready
	if o.err != nil {
		w.drop(h.ID, o)
		return nil, nil, o.err
	}
	return o, func() { w.release(h.ID, o) }, nil
}

// release ends a batch of a prepared run.
func (w *Worker) release(id string, o *opened) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if o.users--; o.users == 0 {
		o.ends = time.AfterFunc(idle, func() { w.drop(id, o) })
	}
}

// drop closes a prepared run that no batch uses.
func (w *Worker) drop(id string, o *opened) {
	w.mu.Lock()
	unused := o.err != nil || o.users == 0
	if unused && w.open[id] == o {
		delete(w.open, id)
	}
	w.mu.Unlock()
	if unused && o.err == nil {
		_ = o.Close() // its runs have ended
	}
}

// closeAll closes what is prepared, after the last batch.
func (w *Worker) closeAll() {
	w.mu.Lock()
	all := w.open
	w.open = nil
	w.mu.Unlock()
	for _, o := range all {
		if o.ends != nil && !o.ends.Stop() {
			continue // it is being closed
		}
		if o.err == nil && o.Evaluation != nil {
			_ = o.Close()
		}
	}
}

var _ river.Worker[batch] = (*evaluator)(nil)
