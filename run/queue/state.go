package queue

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/store"
)

// A State is where the unfinished runs of a store, the queue and its workers stand.
type State struct {
	// Runs are those that go on or wait for a server, latest first; at most 500.
	Runs []RunState `json:"runs"`
	// Queue has the batches of all runs. It is nil if the store has no queue: it is a file, or no
	// run of it ever had workers.
	Queue *Backlog `json:"queue,omitempty"`
	// Workers are those that are there, and those that were killed in the last day, by id.
	Workers []WorkerState `json:"workers"`
}

// A RunState is where a run stands.
type RunState struct {
	ID   string `json:"run_id"`
	Name string `json:"name,omitempty"`
	// State is "running" or "queued"; the latter waits for a server to begin it.
	State   string    `json:"state"`
	Started time.Time `json:"started"`
	// Session tells whether the process that began or resumed the run is there. Without it,
	// workers finish the batches that are in the queue, and nobody gives them more.
	Session bool `json:"session"`
	// Cases is the number of records that the run will have, Done those that it has, Failed those
	// of them without a response.
	Cases  int `json:"cases"`
	Done   int `json:"done"`
	Failed int `json:"failed"`
	// Rate is the number of cases a second in the last minute, 0 if it is not known.
	Rate float64 `json:"cases_per_second,omitempty"`
	// Left is the number of seconds that the remaining cases take at this rate, 0 if it is not
	// known.
	Left float64 `json:"seconds_left,omitempty"`
	// Spent is what calls to models have cost so far, in US dollars.
	Spent float64 `json:"spent_usd"`
	// Budget is the limit of what the run may spend, in US dollars; 0 for no limit.
	Budget float64 `json:"budget_usd,omitempty"`
	// Held is what processes have claimed of the budget and not spent yet, in US dollars.
	Held float64 `json:"held_usd,omitempty"`
	// Queue has the batches of the run, nil if there are none.
	Queue *Backlog `json:"queue,omitempty"`
}

// BudgetLeft is what the run may still spend, in US dollars, at least 0.
func (r RunState) BudgetLeft() float64 { return max(0, r.Budget-r.Spent) }

// A Backlog is how much of a queue waits, and how much is being worked on.
type Backlog struct {
	Waiting Load `json:"waiting"`
	Running Load `json:"running"`
	// Lag is the number of seconds for which the oldest waiting batch has been in the queue, 0 if
	// none waits.
	Lag float64 `json:"lag_seconds"`
	// Priority is the lowest number among the batches, which workers take first, from 1 to 4;
	// 0 without batches.
	Priority int `json:"priority,omitempty"`
}

// A Load is an amount of work.
type Load struct {
	Batches int `json:"batches"`
	Cases   int `json:"cases"`
}

func (l *Load) add(other Load) { l.Batches, l.Cases = l.Batches+other.Batches, l.Cases+other.Cases }

// A WorkerState is where a worker stands.
type WorkerState struct {
	ID string `json:"worker_id"`
	// Host is the name of its machine, Version that of assay, and Since when it began. They are
	// zero for a worker of a version that does not tell.
	Host    string    `json:"host,omitempty"`
	Version string    `json:"version,omitempty"`
	Since   time.Time `json:"since,omitzero"`
	// Present tells whether the database has a connection of the worker. A worker that lost its
	// connection is absent until it has taken another.
	Present bool `json:"present"`
	// Running are the batches that it evaluates, Most the number of batches that it takes at once.
	Running Load `json:"running"`
	Most    int  `json:"most_batches,omitempty"`
	// Oldest is the number of seconds for which it has evaluated the oldest of them, 0 without any.
	Oldest float64 `json:"oldest_batch_seconds,omitempty"`
	// Refusals are the unfinished runs that it takes no part in.
	Refusals []Refusal `json:"refusals,omitempty"`
}

// A Refusal says why a worker took no part in a run when it was last asked to.
type Refusal struct {
	Run    string    `json:"run_id"`
	Reason string    `json:"reason"`
	Last   time.Time `json:"last"`
}

// A Viewer reads where a queue stands. It changes nothing, and keeps up to one connection.
type Viewer struct {
	store *store.Store
	// pool is nil if the store is a file.
	pool *pgxpool.Pool
}

// View returns a viewer of a store of any kind.
func View(ctx context.Context, s *store.Store) (*Viewer, error) {
	pool, err := s.Pool(ctx, 1)
	if err != nil && !errors.Is(err, store.ErrOneMachine) {
		return nil, fmt.Errorf("queue: %w", err)
	}
	return &Viewer{s, pool}, nil
}

// Close closes the connection.
func (v *Viewer) Close() {
	if v.pool != nil {
		v.pool.Close()
	}
}

const (
	// mostRuns is the number of unfinished runs that a state has.
	mostRuns = 500
	// paceOver is the time over which the rate of a run is taken.
	paceOver = time.Minute
)

// State returns where the runs, the queue and the workers stand. Its cost grows with what is
// unfinished: finished runs, their records and their batches are not read. now is the time of the
// rates.
func (v *Viewer) State(ctx context.Context, now time.Time) (State, error) {
	out := State{Runs: []RunState{}, Workers: []WorkerState{}}
	headers, err := v.headers(ctx)
	if err != nil {
		return out, err
	}
	groups, err := v.batches(ctx)
	if err != nil {
		return out, err
	}
	held, err := v.held(ctx)
	if err != nil {
		return out, err
	}
	if groups != nil {
		out.Queue = &Backlog{}
	}
	byRun := map[string]*Backlog{}
	for _, g := range groups {
		out.Queue.add(g)
		if byRun[g.run] == nil {
			byRun[g.run] = &Backlog{}
		}
		byRun[g.run].add(g)
	}
	if out.Runs, err = v.runs(ctx, headers, byRun, held, now); err != nil {
		return out, err
	}
	out.Workers, err = v.workers(ctx, headers, groups)
	return out, err
}

// headers returns the headers of the unfinished runs, latest first.
func (v *Viewer) headers(ctx context.Context) (out []assay.Header, err error) {
	for _, state := range []string{"running", "queued"} {
		some, _, err := v.store.RunPage(ctx, store.RunQuery{State: state, Limit: mostRuns})
		if err != nil {
			return nil, err
		}
		out = append(out, some...)
	}
	slices.SortStableFunc(out, func(a, b assay.Header) int {
		return cmp.Or(b.Started.Compare(a.Started), cmp.Compare(b.ID, a.ID))
	})
	return out[:min(len(out), mostRuns)], nil
}

// A group is the batches of a run that are alike.
type group struct {
	run      string
	priority int
	// worker is who evaluates them, "" if they wait.
	worker string
	load   Load
	// age is how long ago the first of them was put into the queue, or begun by the worker, in
	// seconds.
	age float64
}

func (b *Backlog) add(g group) {
	if b.Priority == 0 || g.priority < b.Priority {
		b.Priority = g.priority
	}
	if g.worker != "" {
		b.Running.add(g.load)
		return
	}
	b.Waiting.add(g.load)
	b.Lag = max(b.Lag, g.age)
}

// unfinished groups the batches that have not ended. The states are listed, so that the index by
// state leaves out those that have.
const unfinished = `SELECT args->>'run', priority, CASE WHEN state = 'running' THEN coalesce(attempted_by[array_upper(attempted_by, 1)], '?') ELSE '' END,
	count(*), sum(jsonb_array_length(args->'cases')),
	greatest(0, extract(epoch FROM now() - min(CASE WHEN state = 'running' THEN attempted_at ELSE created_at END)))::float8
	FROM river_job WHERE state IN ('available', 'pending', 'retryable', 'running', 'scheduled') AND queue = $1 AND kind = $2 GROUP BY 1, 2, 3`

// batches returns the batches that have not ended; nil if there is no queue.
func (v *Viewer) batches(ctx context.Context) ([]group, error) {
	if v.pool == nil {
		return nil, nil
	}
	out := []group{}
	err := v.store.Try(ctx, func(ctx context.Context) error {
		out = out[:0]
		var there bool
		if err := v.pool.QueryRow(ctx, `SELECT to_regclass('river_job') IS NOT NULL`).Scan(&there); err != nil {
			return err
		}
		if !there {
			out = nil
			return nil
		}
		rows, err := v.pool.Query(ctx, unfinished, casesQueue, batch{}.Kind())
		if err != nil {
			return err
		}
		var g group
		_, err = pgx.ForEachRow(rows, []any{&g.run, &g.priority, &g.worker, &g.load.Batches, &g.load.Cases, &g.age}, func() error {
			out = append(out, g)
			return nil
		})
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("queue: %w", err)
	}
	return out, nil
}

// held returns the micro-dollars by run that processes whose lease goes on have claimed and not
// spent; none if there are no limits.
func (v *Viewer) held(ctx context.Context) (out map[string]int64, err error) {
	if v.pool == nil {
		return nil, nil
	}
	err = v.store.Try(ctx, func(ctx context.Context) error {
		out = map[string]int64{}
		var there bool
		if err := v.pool.QueryRow(ctx, `SELECT to_regclass('assay_money') IS NOT NULL`).Scan(&there); err != nil || !there {
			return err
		}
		rows, err := v.pool.Query(ctx, `SELECT run, sum(held)::bigint FROM assay_money m WHERE held > 0 AND `+leased("m")+` GROUP BY run`)
		if err != nil {
			return err
		}
		var run string
		var held int64
		_, err = pgx.ForEachRow(rows, []any{&run, &held}, func() error {
			out[run] = held
			return nil
		})
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("queue: %w", err)
	}
	return out, nil
}

// runs returns where runs stand.
func (v *Viewer) runs(ctx context.Context, headers []assay.Header, queued map[string]*Backlog, held map[string]int64, now time.Time) (
	[]RunState, error,
) {
	ids := make([]string, len(headers))
	for i, h := range headers {
		ids[i] = h.ID
	}
	sessions, err := v.store.Claims(ctx, ids)
	if err != nil {
		return nil, err
	}
	costs, err := v.store.Costs(ctx, ids)
	if err != nil {
		return nil, err
	}
	out := make([]RunState, 0, len(headers))
	for _, h := range headers {
		n, err := v.store.Counts(ctx, h.ID)
		if errors.Is(err, store.ErrNotFound) {
			continue // deleted meanwhile
		}
		if err != nil {
			return nil, err
		}
		r := RunState{
			ID: h.ID, Name: h.Name, State: h.State, Started: h.Started, Session: sessions[h.ID], Cases: h.Asked(), Done: n.Records,
			Failed: n.Failed, Spent: float64(costs[h.ID]) / 1e6, Held: float64(held[h.ID]) / 1e6, Queue: queued[h.ID],
		}
		// A header of another program may have anything, and then there is no limit.
		r.Budget, _ = strconv.ParseFloat(h.Config["max-cost"], 64)
		if r.Session || r.Queue != nil {
			if r.Rate, err = v.pace(ctx, h.ID, int64(n.Records), now); err != nil {
				return nil, err
			}
		}
		if r.Rate > 0 {
			r.Left = float64(max(0, r.Cases-r.Done)) / r.Rate
		}
		out = append(out, r)
	}
	return out, nil
}

// pace returns the number of cases a second of a run that has a number of records, over those
// that began within a minute of the last one; 0 if there are too few. Cases begin as fast as they
// end, and records have the time when they began. If nothing that began in the last minute has
// ended, the time until now counts, so that a run which has stopped gets slower. It reads about
// twenty records.
func (v *Viewer) pace(ctx context.Context, run string, records int64, now time.Time) (float64, error) {
	began := func(position int64) (time.Time, error) {
		kept, err := v.store.RecordsSince(ctx, run, position-1, 1)
		if errors.Is(err, store.ErrNotFound) || err == nil && len(kept) == 0 {
			return time.Time{}, nil // deleted meanwhile
		}
		if err != nil {
			return time.Time{}, err
		}
		return kept[0].Record.Started, nil
	}
	last, err := began(records)
	if err != nil || records < 2 {
		return 0, err
	}
	// The first record that began in the minute is between low and high.
	low, high, first := int64(1), records, last
	for low < high {
		middle := (low + high) / 2
		at, err := began(middle)
		switch {
		case err != nil:
			return 0, err
		case last.Sub(at) > paceOver:
			low = middle + 1
		default:
			high, first = middle, at
		}
	}
	over := last.Sub(first)
	if now.Sub(last) > paceOver {
		over = now.Sub(first)
	}
	if over <= 0 {
		return 0, nil
	}
	return float64(records-low) / over.Seconds(), nil
}

// workers returns where workers stand, by id.
func (v *Viewer) workers(ctx context.Context, headers []assay.Header, groups []group) ([]WorkerState, error) {
	all := map[string]*WorkerState{}
	of := func(id string) *WorkerState {
		if all[id] == nil {
			all[id] = &WorkerState{ID: id}
		}
		return all[id]
	}
	items, _, err := v.store.Items(ctx, store.KindWorker, store.ItemQuery{Bodies: true})
	if err != nil {
		return nil, err
	}
	for _, it := range items {
		var r registration
		if err := json.Unmarshal(it.Body, &r); err != nil {
			return nil, fmt.Errorf("%w: worker %q: %w", store.ErrNotStore, it.ID, err)
		}
		w := of(it.ID)
		w.Host, w.Version, w.Most, w.Since = r.Host, r.Version, r.Batches, it.Created
	}
	for _, g := range groups {
		if g.worker != "" {
			w := of(g.worker)
			w.Running.add(g.load)
			w.Oldest = max(w.Oldest, g.age)
		}
	}
	for _, h := range headers {
		if v.pool == nil {
			break
		}
		items, _, err := v.store.Items(ctx, kindRefusal, store.ItemQuery{Parent: h.ID, Bodies: true})
		if err != nil {
			return nil, err
		}
		for _, it := range items {
			var n note
			if err := json.Unmarshal(it.Body, &n); err != nil {
				return nil, fmt.Errorf("%w: a refusal of run %q: %w", store.ErrNotStore, h.ID, err)
			}
			w := of(n.Worker)
			w.Refusals = append(w.Refusals, Refusal{Run: h.ID, Reason: n.Reason, Last: it.Updated})
		}
	}
	ids := make([]string, 0, len(all))
	for id := range all {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	there, err := presentOf(ctx, v.store, ids)
	if err != nil {
		return nil, err
	}
	if v.pool != nil && len(ids) > 0 {
		// A worker that is stopped has a connection, and renews nothing.
		lapsed, err := leasedOf(ctx, v.pool, ids, true)
		if err != nil {
			return nil, fmt.Errorf("queue: %w", err)
		}
		maps.DeleteFunc(there, func(id string, _ bool) bool { return lapsed[id] })
	}
	out := make([]WorkerState, 0, len(ids))
	for _, id := range ids {
		w := *all[id]
		w.Present = there[id]
		if w.Present || !w.Since.IsZero() || w.Running.Batches > 0 { // else it refused a run and ended
			out = append(out, w)
		}
	}
	return out, nil
}
