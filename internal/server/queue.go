package server

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

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
	// wake tells a worker of the lane that a task is waiting.
	wake [lanes]chan struct{}
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
	// feed is that of a run, job that of a job.
	feed *feed
	job  *jobFeed
	// stop is closed to keep new cases and evaluations from starting.
	stop      chan struct{}
	once      sync.Once
	cancelled bool
}

func (g *task) end() { g.once.Do(func() { close(g.stop) }) }

// stopped reports whether the task is to end early.
func (g *task) stopped() bool { return isClosed(g.stop) }

func newQueue(s *Server) *queue {
	q := &queue{s: s, active: map[string]*task{}}
	for l := range q.wake {
		q.wake[l] = make(chan struct{}, 1)
	}
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

// stop keeps new cases and evaluations from starting.
func (q *queue) stop() {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, g := range q.active {
		g.end()
	}
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
	if q.place(l, id) < 0 {
		q.waiting[l] = append(q.waiting[l], ticket{id, who(ctx)})
	}
	q.count()
	q.mu.Unlock()
	q.signal(l)
}

// place returns the place of a task among those that wait in a lane, -1 if it does not.
// The caller holds the lock.
func (q *queue) place(l lane, id string) int {
	return slices.IndexFunc(q.waiting[l], func(t ticket) bool { return t.id == id })
}

func (q *queue) signal(l lane) {
	select {
	case q.wake[l] <- struct{}{}:
	default:
	}
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
	for {
		q.mu.Lock()
		// Under the lock, so that stop sees every task that starts.
		if q.s.stopped() {
			q.mu.Unlock()
			return nil
		}
		if len(q.waiting[l]) > 0 {
			id := q.waiting[l][0].id
			q.waiting[l] = q.waiting[l][1:]
			if q.active[id] != nil {
				// It was submitted twice at the same time.
				q.mu.Unlock()
				continue
			}
			g := &task{id: id, lane: l, stop: make(chan struct{})}
			if l == laneJobs {
				g.job = newJobFeed()
			} else {
				g.feed = newFeed(q.s.store, id)
			}
			q.active[id] = g
			q.count()
			more := len(q.waiting[l]) > 0
			q.mu.Unlock()
			if more {
				q.signal(l)
			}
			return g
		}
		q.mu.Unlock()
		select {
		case <-q.wake[l]:
		case <-q.s.stopping:
			return nil
		}
	}
}

func (q *queue) work(l lane) {
	defer q.wg.Done()
	for g := q.next(l); g != nil; g = q.next(l) {
		q.one(g)
	}
}

// one executes a task to its end.
func (q *queue) one(g *task) {
	var state string
	var err error
	if g.lane == laneJobs {
		state, err = q.s.performJob(context.Background(), g)
	} else {
		ctx, end := q.s.cfg.Trace.Run(context.Background(), g.id)
		state, err = q.s.perform(ctx, g)
		end(state, err)
	}
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
	if g.lane == laneJobs {
		g.job.end()
	} else {
		g.feed.end()
	}
}

// cancel stops a task; the cases in flight are finished and stored. waited is set if it
// had not started. found is false when the task is not of this server.
func (q *queue) cancel(l lane, id string) (waited, found bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if g := q.active[id]; g != nil {
		g.cancelled = true
		g.end()
		return false, true
	}
	i := q.place(l, id)
	if i < 0 {
		return false, false
	}
	q.waiting[l] = slices.Delete(q.waiting[l], i, i+1)
	q.count()
	return true, true
}

// cancelled reports whether a task was cancelled.
func (q *queue) cancelled(g *task) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return g.cancelled
}
