package server

import (
	"cmp"
	"context"
	"errors"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/assay-eval/assay/internal/accuracy"
	"github.com/assay-eval/assay/llm"
	"github.com/assay-eval/assay/store"
)

const (
	// jobWidth is the number of evaluations of a job at a time. Their calls share the
	// server's limits.
	jobWidth = 4
	// jobSaves is the least time between two saves of a job's progress.
	jobSaves = 500 * time.Millisecond
)

// A jobWork is a job in progress.
type jobWork struct {
	s    *Server
	g    *task
	kept keptJob
	// options are common to the evaluations.
	options accuracy.Options

	mu sync.Mutex
	// view is the job, and paid what it paid in micro-dollars.
	view JobView
	paid int64
	// done has the members that are done, by the ids of their evaluations.
	done map[string]accuracy.Member
	// saved is when the progress was last stored; err is the first error of the store.
	saved time.Time
	err   error
}

// performJob works on a job until its context is done, and returns its final state; "" if another
// server does.
func (s *Server) performJob(work context.Context, g *task) (state string, err error) {
	ctx := context.WithoutCancel(work)
	release, err := s.store.Claim(ctx, kindJob+"-"+g.id)
	if errors.Is(err, store.ErrLocked) {
		return "", nil
	}
	if err != nil {
		return stateQueued, err
	}
	// The claim ends with the connection or the process at the latest.
	defer func() { _ = release() }()
	var v JobView
	if err := s.readItem(ctx, kindJob, g.id, &v); err != nil || v.ended() {
		return v.State, err
	}
	if ended, err := s.endCancelled(ctx, v); ended || err != nil {
		return stateCancelled, err
	}
	w := &jobWork{s: s, g: g}
	if err := w.open(ctx, v); err != nil {
		if errors.Is(err, store.ErrAway) {
			return stateQueued, err
		}
		return s.failJob(ctx, v, err)
	}
	w.evaluate(work)
	if w.err != nil {
		if errors.Is(w.err, store.ErrAway) {
			// Its state cannot be stored either. It goes on when somebody asks for it.
			return stateQueued, w.err
		}
		return s.failJob(ctx, w.view, w.err)
	}
	v = w.view
	switch {
	case len(w.done) == len(w.kept.Members):
		v, err = s.endJob(ctx, v, w.kept, w.done, stateFinished)
	case g.cancelled.Load():
		v, err = s.endJob(ctx, v, w.kept, w.done, stateCancelled)
	default:
		// The next server continues it.
		v.State = stateQueued
		err = s.putJob(ctx, v)
	}
	return v.State, err
}

// abandonJob stores a job that does not end.
func (s *Server) abandonJob(ctx context.Context, g *task) (state string, err error) {
	v, err := s.findJob(ctx, g.id)
	if ended, failed := s.endCancelled(ctx, v); ended || err != nil || failed != nil {
		return stateCancelled, errors.Join(err, failed)
	}
	return s.failJob(ctx, v, errors.New(s.abandoned("job")))
}

// failJob stores a job that could not go on, with the reason.
func (s *Server) failJob(ctx context.Context, v JobView, why error) (string, error) {
	now := s.now()
	v.State, v.Finished, v.Error = stateFailed, &now, s.reason(why, "")
	return v.State, errors.Join(why, s.putJob(ctx, v))
}

// open reads what the job does and is done with, and opens its models.
func (w *jobWork) open(ctx context.Context, v JobView) (err error) {
	s := w.s
	if w.kept, err = s.keptJob(ctx, v.ID); err != nil {
		return err
	}
	if w.done, err = s.members(ctx, v.ID); err != nil {
		return err
	}
	spent, err := s.store.Spent(ctx, v.ID)
	if err != nil {
		return err
	}
	w.options = s.evaluation(w.kept.Request.Dimensions, w.kept.Request.Config)
	// As when it was requested.
	w.options.Truth = &accuracy.Truth{}
	if err := s.evaluators(ctx, &w.options, w.kept.Request.Config, v.ID, spent.Usage.Cost); err != nil {
		return err
	}
	v.State, v.Done, v.Failed = stateRunning, len(w.done), 0
	for _, m := range w.done {
		if m.Status == accuracy.NotEvaluated {
			v.Failed++
		}
	}
	if v.Started == nil {
		now := s.now()
		v.Started = &now
	}
	w.saved, w.view = s.now(), v
	w.pay(spent.Usage.Cost)
	return s.putJob(ctx, w.view)
}

// pay adds what a reply cost.
func (w *jobWork) pay(cost int64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.paid += cost
	w.view.Cost = float64(w.paid) / 1e6
	w.show()
}

// show has clients see the job as it is now. The caller holds the lock.
func (w *jobWork) show() {
	v := w.view
	w.g.job.Store(&v)
}

// evaluate evaluates the results that are left, until all are done or the job is stopped.
func (w *jobWork) evaluate(ctx context.Context) {
	var group errgroup.Group
	group.SetLimit(jobWidth)
	for _, m := range w.kept.Members {
		w.mu.Lock()
		_, done := w.done[m.Evaluation]
		w.mu.Unlock()
		if done {
			continue
		}
		if w.g.stopped() || w.failed() {
			break
		}
		group.Go(func() error {
			if one, ok := w.member(ctx, m); ok {
				w.finish(context.WithoutCancel(ctx), m, one)
			}
			return nil
		})
	}
	_ = group.Wait() // w.err has the error
}

// member evaluates one result. ok is false if the job was stopped meanwhile, or its budget is
// spent: what the evaluation lacks may be what was not asked any more. Its replies are in the ledger.
func (w *jobWork) member(ctx context.Context, m jobMember) (out accuracy.Member, ok bool) {
	defer func() {
		if broke := recover(); broke != nil {
			w.s.meters.failures.Inc()
			w.s.log.Error("panic", "job", w.g.id, "panic", broke, "stack", string(debug.Stack()))
			out, ok = accuracy.Missed(m.Result, "internal error; see the server's log"), true
		}
	}()
	e, r, err := w.one(ctx, m)
	if (w.g.stopped() || w.failed()) && (err != nil || e.Status != accuracy.Completed) {
		return out, false
	}
	if errors.Is(err, store.ErrAway) {
		w.fails(err)
		return out, false
	}
	if err != nil {
		return accuracy.Missed(m.Result, w.s.reason(err, m.Result)), true
	}
	if err := w.s.keepEvaluation(context.WithoutCancel(ctx), e, w.kept.Request.Results.RawMessage == nil); err != nil {
		return accuracy.Missed(m.Result, w.s.reason(err, m.Result)), true
	}
	return accuracy.MemberOf(&e, &r), true
}

// one evaluates one result, or reads its evaluation if an earlier server stored it.
func (w *jobWork) one(ctx context.Context, m jobMember) (accuracy.Evaluation, accuracy.Result, error) {
	s, q := w.s, &w.kept.Request
	var e accuracy.Evaluation
	r, err := s.evaluated(ctx, q.single(m.Result))
	if err != nil {
		return e, r, err
	}
	if err := s.readItem(ctx, store.KindEvaluation, m.Evaluation, &e); !errors.Is(err, store.ErrNotFound) {
		return e, r, err
	}
	o := w.options
	o.EvaluationID = m.Evaluation
	if err := s.setTruth(ctx, &o, &r, "body.dimensions"); err != nil {
		return e, r, err
	}
	if o.Truth == nil && o.Has(accuracy.Chunks) && o.Chunk.Provider == nil {
		return e, r, noJudge("chunk_evaluator")
	}
	e, err = s.assess(ctx, r, o, &llm.Caller{Run: w.g.id, Refresh: q.Refresh, Stop: w.g.stop, Paid: w.pay, Denied: w.fails})
	return e, r, err
}

// finish stores what became of one result, and the progress of the job now and then.
func (w *jobWork) finish(ctx context.Context, m jobMember, one accuracy.Member) {
	s := w.s
	if err := s.keep(ctx, kindJobMember, m.Evaluation, one.Status, w.g.id, one); err != nil {
		w.fails(err)
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.done[m.Evaluation] = one
	if w.view.Done++; one.Status == accuracy.NotEvaluated {
		w.view.Failed++
	}
	w.show()
	if now := s.now(); now.Sub(w.saved) >= jobSaves {
		w.saved, w.err = now, cmp.Or(w.err, s.putJob(ctx, w.view))
	}
}

// fails keeps the first error of the store.
func (w *jobWork) fails(err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.err = cmp.Or(w.err, err)
}

// failed reports whether the job ends early.
func (w *jobWork) failed() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.err != nil
}

// reason is an error in words, without the id of the result, so that equal reasons count
// as one.
func (s *Server) reason(err error, result string) string {
	message := inWords(err)
	if result != "" {
		message = strings.ReplaceAll(message, ": "+strconv.Quote(result), "")
	}
	return s.cfg.Settings.Secrets().Scrub(message)
}
