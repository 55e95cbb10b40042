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

// The states of a run. Queued, failed and cancelled are the server's: a failed
// run did not begin, and says why in its warnings.
const (
	stateQueued      = "queued"
	stateRunning     = "running"
	stateFinished    = "finished"
	stateInterrupted = "interrupted"
	stateFailed      = "failed"
	stateCancelled   = "cancelled"
)

// kindRequest is what a run was started from. Its id is the run's, its name one
// of the following.
const (
	kindRequest    = "request"
	requestPending = "pending"
	requestEnded   = "ended"
)

// A queue runs what was asked for, so many at once. What waits and what goes on
// is in the store, so that the next server takes it up.
type queue struct {
	s  *Server
	wg sync.WaitGroup

	mu      sync.Mutex
	waiting []string
	going   map[string]*going
	// wake tells a worker that something waits.
	wake chan struct{}
}

// A going is a run that a worker has.
type going struct {
	id   string
	feed *feed
	// stop is closed when no more cases are to be started.
	stop      chan struct{}
	once      sync.Once
	cancelled bool
}

func (g *going) end() { g.once.Do(func() { close(g.stop) }) }

func newQueue(s *Server) *queue {
	return &queue{s: s, going: map[string]*going{}, wake: make(chan struct{}, 1)}
}

// start takes up what an earlier server left, the oldest first, and begins to
// work.
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
			// The server died before it had made the run, and said so to nobody.
			err = q.s.store.DeleteItem(ctx, kindRequest, it.ID)
		case err == nil && (h.ID != it.ID || h.State == stateFinished || h.State == stateCancelled || h.State == stateFailed):
			err = q.settled(ctx, it.ID)
		case err == nil:
			q.waiting = append(q.waiting, it.ID)
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

// stop lets no case begin any more.
func (q *queue) stop() {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, g := range q.going {
		g.end()
	}
}

// submit makes a run of a request and lets it wait for its turn.
func (q *queue) submit(ctx context.Context, req runRequest) (assay.Header, error) {
	s := q.s
	if s.stopped() {
		return assay.Header{}, unavailable("the server is stopping")
	}
	r, err := s.settle(ctx, req)
	if err != nil {
		return assay.Header{}, err
	}
	if err := q.room(); err != nil {
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
	// What the client is told of must be there after a crash: the request first,
	// since one without a run is swept away, and a run without one would wait
	// for ever.
	it := store.Item{Kind: kindRequest, ID: id, Name: requestPending, Created: h.Started, Updated: h.Started, Body: body}
	if err := s.store.CreateItem(ctx, it); err != nil {
		return h, err
	}
	if err := s.store.CreateRun(ctx, h); err != nil {
		return h, err
	}
	q.push(id)
	return h, nil
}

// room reports whether one more may wait.
func (q *queue) room() error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.waiting) >= q.s.cfg.Waiting {
		return huma.ErrorWithHeaders(unavailable(fmt.Sprintf("%d runs wait already", len(q.waiting))), map[string][]string{"Retry-After": {"30"}})
	}
	return nil
}

func (q *queue) push(id string) {
	q.mu.Lock()
	if !slices.Contains(q.waiting, id) {
		q.waiting = append(q.waiting, id)
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

// count tells /metrics how many there are. The lock is held, or nobody else has
// the queue yet.
func (q *queue) count() {
	q.s.meters.going.WithLabelValues(stateQueued).Set(float64(len(q.waiting)))
	q.s.meters.going.WithLabelValues(stateRunning).Set(float64(len(q.going)))
}

// find gives the run that a worker has; nil when none has it.
func (q *queue) find(id string) *going {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.going[id]
}

// waits reports whether a run waits for its turn.
func (q *queue) waits(id string) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return slices.Contains(q.waiting, id)
}

// next waits for a run; nil when the server stops.
func (q *queue) next() *going {
	for {
		q.mu.Lock()
		// Under the lock, so that whatever begins is seen by stop.
		if q.s.stopped() {
			q.mu.Unlock()
			return nil
		}
		if len(q.waiting) > 0 {
			id := q.waiting[0]
			q.waiting = q.waiting[1:]
			if q.going[id] != nil {
				// Two asked for it at once.
				q.mu.Unlock()
				continue
			}
			g := &going{id: id, feed: newFeed(q.s.store, id), stop: make(chan struct{})}
			q.going[id] = g
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

// one runs a run to its end, whatever that is.
func (q *queue) one(g *going) {
	ctx, end := q.s.cfg.Trace.Run(context.Background(), g.id)
	state, err := q.s.perform(ctx, g)
	end(state, err)
	if err != nil {
		q.s.log.Error("run ended early", "run", g.id, "state", state, "error", err)
	}
	q.s.meters.runs.WithLabelValues(state).Inc()
	q.mu.Lock()
	delete(q.going, g.id)
	q.count()
	q.mu.Unlock()
	g.feed.end()
}

// perform runs a run, and gives the state in which it ended.
func (s *Server) perform(ctx context.Context, g *going) (state string, err error) {
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

// run prepares the run of a header and performs it.
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

// interrupted keeps a run that was stopped: for the next server, or as cancelled.
func (s *Server) interrupted(ctx context.Context, g *going, h assay.Header) (string, error) {
	s.queue.mu.Lock()
	cancelled := g.cancelled
	s.queue.mu.Unlock()
	if !cancelled {
		return stateInterrupted, nil
	}
	h.State, h.Finished = stateCancelled, s.now()
	return stateCancelled, errors.Join(s.store.UpdateRun(ctx, h), s.settled(ctx, h.ID))
}

// fails keeps a run that could not begin, with the reason.
func (s *Server) fails(ctx context.Context, h assay.Header, why error) (string, error) {
	h.State, h.Finished = stateFailed, s.now()
	h.Warnings = append(h.Warnings, "the run could not go on: "+why.Error())
	return stateFailed, errors.Join(why, s.store.UpdateRun(ctx, h), s.settled(ctx, h.ID))
}

// settled marks the request of a run as dealt with.
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

// restored gives the settings of a run that is kept: those that were asked for,
// and once it has begun those that it began with.
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

// placed gives the way to resolve paths in which the names of data sets and of
// baselines that a request gave stand for files of theirs.
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
			return nil, fmt.Errorf("%q names a data set and a baseline: want different names", name)
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

// cancel stops a run; what is in flight is finished and kept. It is a 409 when
// the run does not go on here.
func (q *queue) cancel(ctx context.Context, h assay.Header) error {
	q.mu.Lock()
	if g := q.going[h.ID]; g != nil {
		g.cancelled = true
		q.mu.Unlock()
		g.end()
		return nil
	}
	i := slices.Index(q.waiting, h.ID)
	if i >= 0 {
		q.waiting = slices.Delete(q.waiting, i, i+1)
		q.count()
	}
	q.mu.Unlock()
	if i < 0 {
		return conflict(fmt.Sprintf("run %q does not go on here: it is %s", h.ID, h.State))
	}
	h.State, h.Finished = stateCancelled, q.s.now()
	return errors.Join(q.s.store.UpdateRun(ctx, h), q.settled(ctx, h.ID))
}

// resume lets a run go on that was interrupted, cancelled or could not begin.
func (q *queue) resume(ctx context.Context, h assay.Header) error {
	if q.s.stopped() {
		return unavailable("the server is stopping")
	}
	if h.State == stateFinished {
		return conflict(fmt.Sprintf("run %q is finished", h.ID))
	}
	if q.find(h.ID) != nil || q.waits(h.ID) {
		return conflict(fmt.Sprintf("run %q goes on already", h.ID))
	}
	if err := q.room(); err != nil {
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
		// The command line began it.
		body, err := json.Marshal(keptRequest{Elsewhere: true})
		if err != nil {
			return err
		}
		now := q.s.now()
		if err := q.s.store.CreateItem(ctx, store.Item{Kind: kindRequest, ID: h.ID, Name: requestPending, Created: now, Updated: now, Body: body}); err != nil {
			return err
		}
	} else if err != nil {
		return err
	}
	if h.State == stateFailed || h.State == stateCancelled {
		// A run that never began waits as it did.
		h.State, h.Finished, h.Warnings = stateInterrupted, time.Time{}, nil
		if len(h.Config) == 0 {
			h.State = stateQueued
		}
		if err := q.s.store.UpdateRun(ctx, h); err != nil {
			return err
		}
	}
	q.push(h.ID)
	return nil
}
