package server

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/danielgtaylor/huma/v2"

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

// kindRequest is the kind of the request that started a run. Its id is the run's,
// its name one of the following.
const (
	kindRequest    = "request"
	requestPending = "pending"
	requestEnded   = "ended"
)

// A queue executes runs, a fixed number at a time. Waiting and active runs are in
// the store, so that the next server continues them.
type queue struct {
	s  *Server
	wg sync.WaitGroup

	mu      sync.Mutex
	waiting []string
	active  map[string]*activeRun
	// by has the token that queued each waiting run, if one did.
	by map[string]string
	// wake tells a worker that a run is waiting.
	wake chan struct{}
}

// An activeRun is a run that a worker executes.
type activeRun struct {
	id   string
	feed *feed
	// stop is closed to keep new cases from starting.
	stop      chan struct{}
	once      sync.Once
	cancelled bool
}

func (g *activeRun) end() { g.once.Do(func() { close(g.stop) }) }

func newQueue(s *Server) *queue {
	return &queue{s: s, active: map[string]*activeRun{}, by: map[string]string{}, wake: make(chan struct{}, 1)}
}

// start queues the runs that an earlier server left, the oldest first, and starts
// the workers.
func (q *queue) start() error {
	ctx := context.Background()
	left, _, err := q.s.store.Items(ctx, kindRequest, store.ItemQuery{Name: requestPending})
	if err != nil {
		return err
	}
	slices.Reverse(left)
	for _, it := range left {
		h, err := q.s.store.Run(ctx, it.ID)
		switch {
		case errors.Is(err, store.ErrNotFound):
			// The server died before it created the run, so no client knows of it.
			err = q.s.store.DeleteItem(ctx, kindRequest, it.ID)
		case err == nil && (h.ID != it.ID || h.State == stateFinished || h.State == stateCancelled || h.State == stateFailed):
			err = q.settled(ctx, it.ID)
		case err == nil:
			q.waiting, q.by[it.ID] = append(q.waiting, it.ID), it.Parent
		}
		if err != nil {
			return err
		}
	}
	q.count()
	for range q.s.cfg.Runs {
		q.wg.Add(1)
		go q.work()
	}
	return nil
}

func (q *queue) wait() { q.wg.Wait() }

// stop keeps new cases from starting.
func (q *queue) stop() {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, g := range q.active {
		g.end()
	}
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
	if err := q.room(ctx); err != nil {
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
	body, err := json.Marshal(keptRequest{runRequest: req})
	if err != nil {
		return h, err
	}
	// What the client is told must survive a crash. The request is stored first,
	// because a request without a run is swept up and a run without a request
	// would wait for ever.
	it := store.Item{Kind: kindRequest, ID: id, Name: requestPending, Parent: who(ctx), Created: h.Started, Updated: h.Started, Body: body}
	if err := s.store.CreateItem(ctx, it); err != nil {
		return h, err
	}
	if err := s.store.CreateRun(ctx, h); err != nil {
		return h, err
	}
	q.push(ctx, id)
	return h, nil
}

// room is an error when the queue is full, or when the runs of the request's token take
// half of it: others must find room too.
func (q *queue) room(ctx context.Context) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	own := 0
	for _, id := range q.waiting {
		if token := who(ctx); token != "" && q.by[id] == token {
			own++
		}
	}
	if own >= max(1, q.s.cfg.Waiting/2) {
		return tooMany(fmt.Sprintf("%d runs of this token are already waiting, half of what the queue takes", own))
	}
	if len(q.waiting) >= q.s.cfg.Waiting {
		return huma.ErrorWithHeaders(
			unavailable(fmt.Sprintf("%d runs are already waiting", len(q.waiting))), map[string][]string{"Retry-After": {"30"}},
		)
	}
	return nil
}

func (q *queue) push(ctx context.Context, id string) {
	q.mu.Lock()
	if !slices.Contains(q.waiting, id) {
		q.waiting, q.by[id] = append(q.waiting, id), who(ctx)
	}
	q.count()
	q.mu.Unlock()
	q.signal()
}

func (q *queue) signal() {
	select {
	case q.wake <- struct{}{}:
	default:
	}
}

// count updates /metrics. The caller holds the lock, or the queue is not shared
// yet.
func (q *queue) count() {
	q.s.meters.going.WithLabelValues(stateQueued).Set(float64(len(q.waiting)))
	q.s.meters.going.WithLabelValues(stateRunning).Set(float64(len(q.active)))
}

// find returns an active run, nil when no worker executes it.
func (q *queue) find(id string) *activeRun {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.active[id]
}

// waits reports whether a run is queued.
func (q *queue) waits(id string) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return slices.Contains(q.waiting, id)
}

// next waits for a queued run; it returns nil when the server stops.
func (q *queue) next() *activeRun {
	for {
		q.mu.Lock()
		// Under the lock, so that stop sees every run that starts.
		if q.s.stopped() {
			q.mu.Unlock()
			return nil
		}
		if len(q.waiting) > 0 {
			id := q.waiting[0]
			q.waiting = q.waiting[1:]
			delete(q.by, id)
			if q.active[id] != nil {
				// It was submitted twice at the same time.
				q.mu.Unlock()
				continue
			}
			g := &activeRun{id: id, feed: newFeed(q.s.store, id), stop: make(chan struct{})}
			q.active[id] = g
			q.count()
			more := len(q.waiting) > 0
			q.mu.Unlock()
			if more {
				q.signal()
			}
			return g
		}
		q.mu.Unlock()
		select {
		case <-q.wake:
		case <-q.s.stopping:
			return nil
		}
	}
}

func (q *queue) work() {
	defer q.wg.Done()
	for g := q.next(); g != nil; g = q.next() {
		q.one(g)
	}
}

// one executes a run to its end.
func (q *queue) one(g *activeRun) {
	ctx, end := q.s.cfg.Trace.Run(context.Background(), g.id)
	state, err := q.s.perform(ctx, g)
	end(state, err)
	if err != nil {
		q.s.log.Error("run ended early", "run", g.id, "state", state, "error", err)
	}
	q.s.meters.runs.WithLabelValues(state).Inc()
	q.mu.Lock()
	delete(q.active, g.id)
	q.count()
	q.mu.Unlock()
	g.feed.end()
}

// perform executes a run and returns its final state.
func (s *Server) perform(ctx context.Context, g *activeRun) (state string, err error) {
	h, err := s.store.Run(ctx, g.id)
	if err != nil {
		return stateFailed, err
	}
	defer func() {
		if broke := recover(); broke != nil {
			s.meters.failures.Inc()
			state, err = s.fails(ctx, h, fmt.Errorf("defect: %v", broke))
		}
	}()
	r, req, err := s.restored(ctx, h)
	if err != nil {
		return s.fails(ctx, h, err)
	}
	dir, err := os.MkdirTemp("", "assay-run-")
	if err != nil {
		return s.fails(ctx, h, err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	w := s.cfg.World
	if w.Path, err = s.placed(ctx, r, req, dir); err != nil {
		return s.fails(ctx, h, err)
	}
	w.Stop, w.Progress, w.Command = g.stop, &follower{s: s, ctx: ctx, feed: g.feed}, []string{"assay", "serve"}
	w.Model, w.Tell, w.Profile = s.cfg.Trace.Model, g.feed.remark, s.profiles().Profile
	rep, ended := s.run(ctx, r, h, w)
	clean := r.Secrets().Scrub
	switch {
	case rep == nil && wire.Interrupted(ended):
		return s.interrupted(ctx, g, h)
	case rep == nil:
		return s.fails(ctx, h, errors.New(clean(ended.Error())))
	case ended == nil:
		return stateFinished, s.settled(ctx, g.id)
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

// interrupted stores a stopped run: as cancelled, or for the next server.
func (s *Server) interrupted(ctx context.Context, g *activeRun, h assay.Header) (string, error) {
	s.queue.mu.Lock()
	cancelled := g.cancelled
	s.queue.mu.Unlock()
	if !cancelled {
		return stateInterrupted, nil
	}
	h.State, h.Finished = stateCancelled, s.now()
	return stateCancelled, errors.Join(s.store.UpdateRun(ctx, h), s.settled(ctx, h.ID))
}

// fails stores a run that could not start, with the reason.
func (s *Server) fails(ctx context.Context, h assay.Header, why error) (string, error) {
	h.State, h.Finished = stateFailed, s.now()
	h.Warnings = append(h.Warnings, "the run failed: "+why.Error())
	return stateFailed, errors.Join(why, s.store.UpdateRun(ctx, h), s.settled(ctx, h.ID))
}

// settled marks the request of a run as done.
func (s *Server) settled(ctx context.Context, id string) error { return s.mark(ctx, id, requestEnded) }

func (q *queue) settled(ctx context.Context, id string) error { return q.s.settled(ctx, id) }

func (s *Server) mark(ctx context.Context, id, name string) error {
	it, err := s.store.Item(ctx, kindRequest, id)
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
	it, err := s.store.Item(ctx, kindRequest, h.ID)
	if err == nil {
		err = json.Unmarshal(it.Body, &req)
	}
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
// and baselines in a request to their files.
func (s *Server) placed(ctx context.Context, r *config.Resolved, req keptRequest, dir string) (func(string) string, error) {
	files := map[string]string{}
	if name := r.Dataset; !req.Elsewhere && name != "" {
		d, err := s.findDataset(ctx, name)
		switch {
		case err == nil:
			if files[name], err = d.place(dir); err != nil {
				return nil, err
			}
		case !errors.Is(err, store.ErrNotFound) || name != s.cfg.Settings.Dataset:
			return nil, err
		}
	}
	if name := r.Baseline; !req.Elsewhere && name != "" && name != s.cfg.Settings.Baseline {
		b, err := s.findBaseline(ctx, name)
		if err != nil {
			return nil, err
		}
		path := filepath.Join(dir, "baseline.json")
		if err := os.WriteFile(path, b, 0o600); err != nil {
			return nil, err
		}
		if _, both := files[name]; both {
			return nil, fmt.Errorf("%q names a dataset and a baseline: want different names", name)
		}
		files[name] = path
	}
	return func(p string) string {
		if at, ok := files[p]; ok {
			return at
		}
		return s.cfg.World.Path(p)
	}, nil
}

// cancel stops a run; cases in flight are finished and stored. It is a 409 when
// the run is not active on this server.
func (q *queue) cancel(ctx context.Context, h assay.Header) error {
	q.mu.Lock()
	if g := q.active[h.ID]; g != nil {
		g.cancelled = true
		q.mu.Unlock()
		g.end()
		return nil
	}
	i := slices.Index(q.waiting, h.ID)
	if i >= 0 {
		q.waiting = slices.Delete(q.waiting, i, i+1)
		delete(q.by, h.ID)
		q.count()
	}
	q.mu.Unlock()
	if i < 0 {
		return conflict(fmt.Sprintf("run %q is not running on this server: it is %s", h.ID, h.State))
	}
	h.State, h.Finished = stateCancelled, q.s.now()
	return errors.Join(q.s.store.UpdateRun(ctx, h), q.settled(ctx, h.ID))
}

// resume queues a run that was interrupted, cancelled or could not start.
func (q *queue) resume(ctx context.Context, h assay.Header) error {
	if q.s.stopped() {
		return unavailable("the server is stopping")
	}
	if h.State == stateFinished {
		return conflict(fmt.Sprintf("run %q is finished", h.ID))
	}
	if q.find(h.ID) != nil || q.waits(h.ID) {
		return conflict(fmt.Sprintf("run %q is already running", h.ID))
	}
	if err := q.room(ctx); err != nil {
		return err
	}
	unlock, err := q.s.store.Lock(ctx, h.ID)
	if err != nil {
		return err
	}
	if err := unlock(); err != nil {
		return err
	}
	err = q.s.mark(ctx, h.ID, requestPending)
	if errors.Is(err, store.ErrNotFound) {
		// The command line started it.
		body, err := json.Marshal(keptRequest{Elsewhere: true})
		if err != nil {
			return err
		}
		now := q.s.now()
		item := store.Item{Kind: kindRequest, ID: h.ID, Name: requestPending, Created: now, Updated: now, Body: body}
		if err := q.s.store.CreateItem(ctx, item); err != nil {
			return err
		}
	} else if err != nil {
		return err
	}
	if h.State == stateFailed || h.State == stateCancelled {
		// A run that never started is queued as before.
		h.State, h.Finished, h.Warnings = stateInterrupted, time.Time{}, nil
		if len(h.Config) == 0 {
			h.State = stateQueued
		}
		if err := q.s.store.UpdateRun(ctx, h); err != nil {
			return err
		}
	}
	q.push(ctx, h.ID)
	return nil
}
