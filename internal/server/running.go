package server

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/config"
	"github.com/assay-eval/assay/internal/wire"
	"github.com/assay-eval/assay/report"
	"github.com/assay-eval/assay/store"
)

// The states of a run. Only the server uses queued, failed and cancelled. A failed
// run could not start; its warnings say why.
const (
	stateQueued      = "queued"
	stateRunning     = "running"
	stateFinished    = "finished"
	stateInterrupted = "interrupted"
	stateFailed      = "failed"
	stateCancelled   = "cancelled"
)

// leftRuns queues the runs that an earlier server left, unless they were cancelled.
func (q *queue) leftRuns() error {
	left, _, err := q.s.store.Items(context.Background(), store.KindRequest, store.ItemQuery{Names: []string{store.RequestPending, store.RequestCancelled}})
	if err != nil {
		return err
	}
	slices.Reverse(left)
	for _, it := range left {
		if err := q.leftRun(context.Background(), it); err != nil {
			return err
		}
	}
	return nil
}

// leftRun takes up the run of a request.
func (q *queue) leftRun(ctx context.Context, it store.Item) (err error) {
	h, err := q.s.store.Run(ctx, it.ID)
	switch {
	case errors.Is(err, store.ErrNotFound):
		// The server died before it created the run, so no client knows of it.
		return q.s.store.DeleteItem(ctx, store.KindRequest, it.ID)
	case err != nil:
		return err
	case h.ID != it.ID || h.State == stateFinished || h.State == stateCancelled || h.State == stateFailed:
		return q.s.settled(ctx, it.ID)
	}
	unlock, err := q.s.store.Lock(ctx, it.ID)
	if errors.Is(err, store.ErrLocked) {
		return nil // another server works on it
	}
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	why := ""
	if it.Name == store.RequestCancelled {
		why = stateCancelled
	} else if h.State == stateRunning {
		why, err = q.s.died(ctx, h)
	}
	if err != nil || why == "" {
		q.waiting[laneRuns] = append(q.waiting[laneRuns], ticket{it.ID, it.Parent})
		h.State, h.Finished = stateQueued, time.Time{}
		return errors.Join(err, q.s.store.UpdateRun(ctx, h))
	}
	if h.State, h.Finished = stateCancelled, q.s.now(); why != stateCancelled {
		h.State, h.Warnings = stateInterrupted, append(h.Warnings, why)
	}
	return errors.Join(q.s.store.UpdateRun(ctx, h), q.s.settled(ctx, h.ID))
}

// maxDeaths is how many servers may die in a row while they work on a run and finish no case.
const maxDeaths = 3

// died counts a server that died while it worked on a run. why is not empty if the run should not
// be resumed again.
func (s *Server) died(ctx context.Context, h assay.Header) (why string, err error) {
	n, err := s.store.Counts(ctx, h.ID)
	if err != nil {
		return "", err
	}
	var req keptRequest
	if err := s.readItem(ctx, store.KindRequest, h.ID, &req); err != nil {
		return "", err
	}
	if req.Deaths++; n.Records > req.Done {
		req.Deaths, req.Done = 1, n.Records
	}
	if req.Deaths >= maxDeaths {
		return fmt.Sprintf("abandoned: %d servers in a row died during this run and finished no case of it; POST …/resume tries again", req.Deaths), nil
	}
	return "", s.mark(ctx, store.KindRequest, h.ID, store.RequestPending, req)
}

// submit creates a run from a request and queues it.
func (q *queue) submit(ctx context.Context, req runRequest) (assay.Header, error) {
	s := q.s
	if s.stopped() {
		return assay.Header{}, unavailable("the server is stopping")
	}
	r, err := s.settle(ctx, req)
	if err != nil {
		return assay.Header{}, err
	}
	if err := q.room(ctx, laneRuns); err != nil {
		return assay.Header{}, err
	}
	id, err := store.NewID(s.cfg.World.Now(), s.cfg.World.Random)
	if err != nil {
		return assay.Header{}, err
	}
	h := assay.Header{
		ID: id, Name: r.Name, Started: s.now(), State: stateQueued, Version: s.cfg.World.Version, Seed: r.Seed,
		Dataset: assay.DatasetInfo{Name: r.Dataset}, Target: assay.TargetInfo{Adapter: r.Adapter}, Metrics: []assay.MetricInfo{},
	}
	// What the client is told must survive a crash. The request is stored first,
	// because a request without a run is swept up and a run without a request
	// would wait for ever.
	if err := s.keep(ctx, store.KindRequest, id, store.RequestPending, who(ctx), keptRequest{runRequest: req}); err != nil {
		return h, err
	}
	if err := s.store.CreateRun(ctx, h); err != nil {
		return h, err
	}
	q.push(ctx, laneRuns, id)
	return h, nil
}

// perform executes a run until its context is done, and returns its final state.
func (s *Server) perform(work context.Context, g *task) (state string, err error) {
	ctx := context.WithoutCancel(work)
	h, err := s.store.Run(ctx, g.id)
	if err != nil {
		return stateFailed, err
	}
	defer func() {
		if broke := recover(); broke != nil {
			s.meters.failures.Inc()
			state, err = s.fails(ctx, g, h, fmt.Errorf("defect: %v", broke))
		}
	}()
	r, req, err := s.restored(ctx, h)
	if err != nil {
		return s.fails(ctx, g, h, err)
	}
	dir, err := os.MkdirTemp("", "assay-run-")
	if err != nil {
		return s.fails(ctx, g, h, err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	w := s.cfg.World
	if w.Path, err = s.placed(ctx, r, req, h.Dataset.Hash, dir); err != nil {
		return s.fails(ctx, g, h, err)
	}
	w.Stop, w.Progress, w.Command = g.stop, &follower{s: s, feed: g.feed}, []string{"assay", "serve"}
	w.Reporting = g.feed.reporting
	w.Tell, w.Profile = g.feed.remark, s.profiles().Profile
	rep, ended := s.run(work, r, h, w)
	clean := r.Secrets().Scrub
	switch {
	case rep == nil && wire.Interrupted(ended) && !g.abandoned.Load():
		return s.interrupted(ctx, g, h)
	case rep == nil && errors.Is(ended, store.ErrLocked):
		return "", nil // another server works on it
	case rep == nil:
		return s.fails(ctx, g, h, errors.New(clean(ended.Error())))
	case ended == nil:
		return rep.Header.State, s.settled(ctx, g.id)
	case wire.Interrupted(ended):
		return s.interrupted(ctx, g, rep.Header)
	}
	rep.Header.Warnings = append(rep.Header.Warnings, "the run ended early: "+clean(ended.Error()))
	return stateInterrupted, errors.Join(ended, s.store.UpdateRun(ctx, rep.Header), s.settled(ctx, g.id))
}

// run prepares the run of a header and executes it.
func (s *Server) run(ctx context.Context, r *config.Resolved, h assay.Header, w wire.World) (*report.Report, error) {
	j, err := wire.Prepare(ctx, r, w)
	if err != nil {
		return nil, err
	}
	defer j.Close()
	if err := j.Resume(h); err != nil {
		return nil, err
	}
	return j.Run(ctx, s.store)
}

// interrupted stores a stopped run: as cancelled, as abandoned, or for the next server.
func (s *Server) interrupted(ctx context.Context, g *task, h assay.Header) (string, error) {
	cancelled, abandoned := g.cancelled.Load(), g.abandoned.Load()
	late := g.late.Load() && !cancelled
	if !cancelled && !abandoned && !late {
		return stateInterrupted, nil
	}
	if h.State, h.Finished = stateInterrupted, s.now(); cancelled {
		h.State = stateCancelled
	}
	if late {
		h.Warnings = append(h.Warnings, fmt.Sprintf("stopped after %v, the server's limit for a run (--run-limit); "+
			"POST …/resume continues it", s.cfg.RunLimit))
	}
	if abandoned {
		h.Warnings = append(h.Warnings, s.abandoned("run")+"; POST …/resume continues the run once its process has ended")
	}
	return h.State, errors.Join(s.store.UpdateRun(ctx, h), s.settled(ctx, h.ID))
}

// abandoned says why a task has no result.
func (s *Server) abandoned(what string) string {
	return fmt.Sprintf("abandoned: the %s did not end within %v of being stopped (--grace)", what, s.cfg.Grace+abortWait)
}

// fails stores a run that could not start, with the reason.
func (s *Server) fails(ctx context.Context, g *task, h assay.Header, why error) (string, error) {
	if g.abandoned.Load() { // another server may have resumed the run since
		return "", why
	}
	h.State, h.Finished = stateFailed, s.now()
	h.Warnings = append(h.Warnings, "the run failed: "+inWords(why))
	return stateFailed, errors.Join(why, s.store.UpdateRun(ctx, h), s.settled(ctx, h.ID))
}

// settled marks the request of a run as done.
func (s *Server) settled(ctx context.Context, id string) error {
	return s.mark(ctx, store.KindRequest, id, store.RequestEnded, nil)
}

// mark names an item of a run or a job, and replaces its body unless that is nil.
func (s *Server) mark(ctx context.Context, kind, id, name string, body any) error {
	it, err := s.store.Item(ctx, kind, id)
	if err == nil && body != nil {
		it.Body, err = json.Marshal(body)
	}
	if err != nil {
		return err
	}
	it.Name, it.Updated = name, s.now()
	return s.store.PutItem(ctx, it)
}

// restored returns the settings of a stored run: the requested ones, or those it
// started with once it has started.
func (s *Server) restored(ctx context.Context, h assay.Header) (*config.Resolved, keptRequest, error) {
	var req keptRequest
	err := s.readItem(ctx, store.KindRequest, h.ID, &req)
	if err != nil {
		return nil, req, err
	}
	var r *config.Resolved
	if req.Elsewhere {
		r, err = s.cfg.Settings.Clone()
	} else {
		r, err = s.settle(ctx, req.runRequest)
	}
	if err == nil && len(h.Config) > 0 {
		r, err = config.Restore(h.Config, r, "run "+h.ID)
	}
	return r, req, err
}

// placed returns a function that resolves paths. It maps the names of datasets
// and baselines in a request to their files. Of a dataset that has a version with the hash, it is that version, as a
// run that is resumed needs it.
func (s *Server) placed(ctx context.Context, r *config.Resolved, req keptRequest, hash, dir string) (func(string) string, error) {
	files := map[string]string{}
	if name := r.Dataset; !req.Elsewhere && name != "" {
		d, err := s.datasetWith(ctx, name, hash)
		switch {
		case err == nil:
			if files[name], err = d.place(dir); err != nil {
				return nil, err
			}
		case !errors.Is(err, store.ErrNotFound) || name != s.cfg.Settings.Dataset:
			return nil, err
		}
	}
	path, err := s.placeBaseline(ctx, r, req, dir)
	if err != nil {
		return nil, err
	}
	if _, both := files[r.Baseline]; both && path != "" {
		return nil, fmt.Errorf("%q names a dataset and a baseline; use different names", r.Baseline)
	}
	if path != "" {
		files[r.Baseline] = path
	}
	return s.paths(files), nil
}

// cancelRun cancels a run. It is a 409 when the run is not active on this server. When it returns,
// the store knows: the next server does not resume the run, even if this one is killed now.
func (q *queue) cancelRun(ctx context.Context, h assay.Header) error {
	var marked error
	if q.find(h.ID) != nil {
		marked = q.s.mark(ctx, store.KindRequest, h.ID, store.RequestCancelled, nil)
	}
	waited, found := q.cancel(laneRuns, h.ID)
	switch {
	case !found && h.State == stateRunning:
		return conflict(fmt.Sprintf("run %q is executed by another process: cancel it there", h.ID))
	case !found:
		return conflict(fmt.Sprintf("run %q is not running on this server: it is %s", h.ID, h.State))
	case !waited:
		return marked
	}
	h.State, h.Finished = stateCancelled, q.s.now()
	return errors.Join(q.s.store.UpdateRun(ctx, h), q.s.settled(ctx, h.ID))
}

// resume queues a run that was interrupted, cancelled or could not start.
func (q *queue) resume(ctx context.Context, h assay.Header) error {
	if q.s.stopped() {
		return unavailable("the server is stopping")
	}
	if h.State == stateFinished {
		return conflict(fmt.Sprintf("run %q is finished", h.ID))
	}
	if q.find(h.ID) != nil || q.waits(laneRuns, h.ID) {
		return conflict(fmt.Sprintf("run %q is already %s", h.ID, h.State))
	}
	if err := q.room(ctx, laneRuns); err != nil {
		return err
	}
	unlock, err := q.s.store.Lock(ctx, h.ID)
	if err != nil {
		return err
	}
	if err := unlock(); err != nil {
		return err
	}
	err = q.s.mark(ctx, store.KindRequest, h.ID, store.RequestPending, nil)
	if errors.Is(err, store.ErrNotFound) {
		// The command line started it.
		err = q.s.keep(ctx, store.KindRequest, h.ID, store.RequestPending, "", keptRequest{Elsewhere: true})
	}
	if err != nil {
		return err
	}
	if h.State != stateQueued {
		// Its warnings say how it ended before.
		h.State, h.Finished, h.Warnings = stateQueued, time.Time{}, nil
		if err := q.s.store.UpdateRun(ctx, h); err != nil {
			return err
		}
	}
	q.push(ctx, laneRuns, h.ID)
	return nil
}
