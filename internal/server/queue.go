package server

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/danielgtaylor/huma/v2"
)

// A queue executes tasks, runs and jobs, a fixed number of each at a time. Waiting and
// active tasks are in the store, so that the next server continues them.
type queue struct {
	s  *Server
	wg sync.WaitGroup

	mu      sync.Mutex
	waiting [lanes][]ticket
	active  map[string]*task
	// changed wakes the workers when a task waits, or the server stops. Its lock is mu.
	changed *sync.Cond
}

// A lane is a kind of tasks, which has workers of its own: a job need not wait for the
// end of a run that takes hours.
type lane int

const (
	laneRuns lane = iota
	laneJobs
	lanes
)

// names are what a task of each lane is called.
var names = [lanes]string{"run", "job"}

// A ticket is the place of a task in the queue. by is the token that queued it, "" if
// none did.
type ticket struct{ id, by string }

// A task is a run or a job that a worker executes.
type task struct {
	id   string
	lane lane
	// feed is that of a run, job the view of a job since its work began.
	feed *feed
	job  atomic.Pointer[JobView]
	// stop is closed to keep new cases and evaluations from starting.
	stop chan struct{}
	once sync.Once
	// cancelled is set if a request ended the task, abandoned if the task did not end in time,
	// and late if it reached the server's limit.
	cancelled, abandoned, late atomic.Bool
}

func (g *task) end() { g.once.Do(func() { close(g.stop) }) }

// stopped reports whether the task is to end early.
func (g *task) stopped() bool { return isClosed(g.stop) }

func newQueue(s *Server) *queue {
	q := &queue{s: s, active: map[string]*task{}}
	q.changed = sync.NewCond(&q.mu)
	return q
}

// start queues the tasks that an earlier server left, the oldest first, and starts
// the workers.
func (q *queue) start() error {
	if err := errors.Join(q.leftRuns(), q.leftJobs()); err != nil {
		return err
	}
	q.count()
	for l := range lanes {
		for range q.s.cfg.Runs {
			q.wg.Add(1)
			go q.work(l)
		}
	}
	return nil
}

func (q *queue) wait() { q.wg.Wait() }

// stop keeps new tasks, cases and evaluations from starting.
func (q *queue) stop() {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, g := range q.active {
		g.end()
	}
	q.changed.Broadcast()
}

// room is an error when the lane is full, or when the tasks of the request's token take
// half of it: others must find room too.
func (q *queue) room(ctx context.Context, l lane) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	own := 0
	for _, t := range q.waiting[l] {
		if token := who(ctx); token != "" && t.by == token {
			own++
		}
	}
	if own >= max(1, q.s.cfg.Waiting/2) {
		return tooMany(fmt.Sprintf("%d %ss of this token are already waiting, half of what the queue takes", own, names[l]))
	}
	if n := len(q.waiting[l]); n >= q.s.cfg.Waiting {
		return huma.ErrorWithHeaders(
			unavailable(fmt.Sprintf("%d %ss are already waiting", n, names[l])), map[string][]string{"Retry-After": {"30"}},
		)
	}
	return nil
}

func (q *queue) push(ctx context.Context, l lane, id string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.place(l, id) < 0 {
		q.waiting[l] = append(q.waiting[l], ticket{id, who(ctx)})
	}
	q.count()
	q.changed.Broadcast()
}

// place returns the place of a task among those that wait in a lane, -1 if it does not.
// The caller holds the lock.
func (q *queue) place(l lane, id string) int {
	return slices.IndexFunc(q.waiting[l], func(t ticket) bool { return t.id == id })
}

// count updates /metrics. The caller holds the lock, or the queue is not shared
// yet.
func (q *queue) count() {
	var active [lanes]int
	for _, g := range q.active {
		active[g.lane]++
	}
	for l, going := range q.s.meters.going {
		going.WithLabelValues(stateQueued).Set(float64(len(q.waiting[l])))
		going.WithLabelValues(stateRunning).Set(float64(active[l]))
	}
}

// find returns an active task, nil when no worker executes it.
func (q *queue) find(id string) *task {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.active[id]
}

// waits reports whether a task is queued.
func (q *queue) waits(l lane, id string) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.place(l, id) >= 0
}

// next waits for a queued task of a lane; it returns nil when the server stops.
func (q *queue) next(l lane) *task {
	q.mu.Lock()
	defer q.mu.Unlock()
	// Under the lock, so that stop sees every task that starts.
	for !q.s.stopped() {
		if len(q.waiting[l]) == 0 {
			q.changed.Wait()
			continue
		}
		id := q.waiting[l][0].id
		q.waiting[l] = q.waiting[l][1:]
		if q.active[id] != nil {
			continue // it was submitted twice at the same time
		}
		g := &task{id: id, lane: l, stop: make(chan struct{})}
		if l == laneRuns {
			g.feed = newFeed(q.s.store, id)
		}
		q.active[id] = g
		q.count()
		return g
	}
	return nil
}

func (q *queue) work(l lane) {
	defer q.wg.Done()
	for g := q.next(l); g != nil; g = q.next(l) {
		q.one(g)
	}
}

// abortWait is how long a task may take to end once its context has ended.
const abortWait = 2 * time.Second

// one executes a task to its end. A task that was stopped has the grace period to finish what is
// in flight, and is then aborted. If that does not end it either, it is abandoned: its goroutine
// is left behind, and its place is free.
func (q *queue) one(g *task) {
	ctx, abort := context.WithCancel(context.Background())
	defer abort()
	var state string
	var err error
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		perform := q.s.perform
		if g.lane == laneJobs {
			perform = q.s.performJob
		}
		state, err = perform(ctx, g)
	}()
	if limit := q.s.cfg.RunLimit; limit > 0 && g.lane == laneRuns {
		defer time.AfterFunc(limit, func() { g.late.Store(true); g.end() }).Stop()
	}
	stopping := false
	select {
	case <-ended:
	case <-g.stop:
		stopping = !closes(ended, q.s.cfg.Grace)
	}
	if abort(); stopping && !closes(ended, abortWait) {
		state, err := q.abandon(g)
		q.ended(g, state, err)
		return
	}
	q.ended(g, state, err)
}

// closes reports whether a channel is closed within a time.
func closes(c <-chan struct{}, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-c:
		return true
	case <-t.C:
		return isClosed(c)
	}
}

// abandon marks a task that does not end, so that no server resumes it by itself.
func (q *queue) abandon(g *task) (state string, err error) {
	g.abandoned.Store(true)
	ctx := context.Background()
	if g.lane == laneJobs {
		return q.s.abandonJob(ctx, g)
	}
	h, err := q.s.store.Run(ctx, g.id)
	if err != nil {
		return stateInterrupted, err
	}
	return q.s.interrupted(ctx, g, h)
}

// ended frees the place of a task.
func (q *queue) ended(g *task, state string, err error) {
	if err != nil {
		q.s.log.Error(names[g.lane]+" ended early", names[g.lane], g.id, "state", state, "error", err)
	}
	if state != "" {
		q.s.meters.ended[g.lane].WithLabelValues(state).Inc()
	}
	q.mu.Lock()
	delete(q.active, g.id)
	q.count()
	q.mu.Unlock()
	if g.lane == laneRuns {
		g.feed.end()
	}
}

// cancel stops a task; the cases in flight are finished and stored. waited is set if it
// had not started. found is false when the task is not of this server.
func (q *queue) cancel(l lane, id string) (waited, found bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if g := q.active[id]; g != nil {
		g.cancelled.Store(true)
		g.end()
		return false, true
	}
	i := q.place(l, id)
	if i < 0 {
		return false, false
	}
	q.waiting[l] = slices.Delete(q.waiting[l], i, i+1)
	q.s.meters.ended[l].WithLabelValues(stateCancelled).Inc()
	q.count()
	return true, true
}
