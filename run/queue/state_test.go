package queue_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/run"
	"github.com/assay-eval/assay/run/queue"
	"github.com/assay-eval/assay/store"
	"github.com/assay-eval/assay/store/postgrestest"
)

// stateOf looks at a store.
func stateOf(t *testing.T, s *store.Store, now time.Time) queue.State {
	t.Helper()
	v, err := queue.View(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	state, err := v.State(t.Context(), now)
	if err != nil {
		t.Fatal(err)
	}
	return state
}

// TestState: while a run waits for its target, the state has its batches, its money and its
// workers, also one that refuses it and one that was killed. At the end only workers are left.
func TestState(t *testing.T) {
	h := newHall(t)
	const cases = 20
	asked, answer := make(chan struct{}, cases), make(chan struct{})
	h.ask = func(_ context.Context, c *assay.Case) (assay.Response, error) {
		asked <- struct{}{}
		<-answer
		return assay.Response{Answer: c.ID}, nil
	}
	item := func(id string, began time.Time) {
		it := store.Item{Kind: store.KindWorker, ID: id, Created: began, Updated: began, Body: json.RawMessage(`{"host":"far","version":"v1","batches":3}`)}
		if err := h.store.PutItem(t.Context(), it); err != nil {
			t.Fatal(err)
		}
	}
	item("killed", time.Now().Add(-time.Hour))
	item("killed long ago", time.Now().Add(-25*time.Hour))
	p := run.Plan{Config: h.config(cases), Header: assay.Header{
		ID: "r", Name: "nightly", State: "running", Dataset: assay.DatasetInfo{Cases: cases}, Config: map[string]string{"max-cost": "2.5"},
	}}
	p.Config.Dispatcher = &queue.Dispatcher{Queue: h.queue, Run: "r", Batch: 8, Priority: 1}
	s, err := run.Begin(t.Context(), p, h.store)
	if err != nil {
		t.Fatal(err)
	}
	call := assay.Call{Key: "k", Run: "r", Operation: "judge", Provider: "p", Model: "m", Made: time.Now(), Usage: assay.Usage{Cost: 750_000},
		Request: json.RawMessage(`{}`), Reply: json.RawMessage(`{}`)}
	if err := h.store.PutCall(t.Context(), call); err != nil {
		t.Fatal(err)
	}
	var ended error
	var records []assay.Record
	var running sync.WaitGroup
	running.Go(func() {
		for r, err := range s.Records(context.WithoutCancel(t.Context())) {
			if ended = err; err == nil {
				records = append(records, r)
			}
		}
	})
	h.worker("one", 1)
	<-asked
	// A worker of another build, of which there is a refusal alone.
	it := store.Item{Kind: store.OfRun + "refusal", ID: "r other", Parent: "r", Created: time.Now(), Updated: time.Now(),
		Body: json.RawMessage(`{"worker":"other","reason":"it has another dataset"}`)}
	if err := h.store.PutItem(t.Context(), it); err != nil {
		t.Fatal(err)
	}
	leave, err := h.store.Claim(t.Context(), "worker other")
	if err != nil {
		t.Fatal(err)
	}

	// Of two processes with claims, the lease of one has ended.
	postgrestest.Exec(t, h.url,
		`INSERT INTO assay_holders (holder, until) VALUES ('p', now() + interval '1 hour'), ('gone', now() - interval '1 second')`,
		`INSERT INTO assay_money (run, holder, held, spent) VALUES ('r', 'p', 100000, 7), ('r', 'gone', 3, 0), ('r', '', 5, 0), ('x', 'p', 1, 0)`)

	state := stateOf(t, h.store, time.Now())
	if len(state.Runs) != 1 || state.Queue == nil {
		t.Fatalf("%+v: want a run and a queue", state)
	}
	r, q := state.Runs[0], *state.Queue
	if r.ID != "r" || r.Name != "nightly" || r.State != "running" || !r.Session || r.Cases != cases || r.Done != 0 || r.Failed != 0 {
		t.Errorf("%+v", r)
	}
	if r.Held != 0.1 {
		t.Errorf("%g dollars claimed: want those of the process that is there", r.Held)
	}
	if r.Spent != 0.75 || r.Budget != 2.5 || r.BudgetLeft() != 1.75 {
		t.Errorf("spent %g of %g, left %g: want 0.75 of 2.5", r.Spent, r.Budget, r.BudgetLeft())
	}
	if r.Queue == nil || *r.Queue != q {
		t.Errorf("run %+v, queue %+v: want the same, there is one run", r.Queue, q)
	}
	if want := (queue.Backlog{Waiting: queue.Load{Batches: 2, Cases: 12}, Running: queue.Load{Batches: 1, Cases: 8}, Lag: q.Lag, Priority: 1}); q != want ||
		q.Lag <= 0 {
		t.Errorf("%+v: want %+v", q, want)
	}
	by := map[string]queue.WorkerState{}
	for _, w := range state.Workers {
		by[w.ID] = w
	}
	if w := by["one"]; !w.Present || w.Host != "here" || w.Version != "v1" || w.Most != 1 || w.Running != (queue.Load{Batches: 1, Cases: 8}) ||
		w.Since.IsZero() || w.Oldest <= 0 || len(w.Refusals) != 0 {
		t.Errorf("%+v", w)
	}
	if w := by["other"]; !w.Present || len(w.Refusals) != 1 || w.Refusals[0].Run != "r" || w.Refusals[0].Reason != "it has another dataset" {
		t.Errorf("%+v: want a refusal", w)
	}
	if w, ok := by["killed"]; !ok || w.Present || w.Host != "far" || w.Most != 3 {
		t.Errorf("%+v: want a worker that is absent", w)
	}
	if len(by) != 3 {
		t.Errorf("%d workers, want 3: who was killed yesterday is forgotten", len(by))
	}

	if err := leave(); err != nil {
		t.Fatal(err)
	}
	close(answer)
	running.Wait()
	if _, err := s.Finish(t.Context(), ended); err != nil || ended != nil {
		t.Fatal(ended, err)
	}
	h.once(records, cases)
	// Batches end after their last record.
	for state = stateOf(t, h.store, time.Now()); *state.Queue != (queue.Backlog{}); state = stateOf(t, h.store, time.Now()) {
	}
	if len(state.Runs) != 0 || len(state.Workers) != 2 {
		t.Errorf("%+v: want no run, and the workers but for the one that is not known", state)
	}
	if w := state.Workers[1]; w.ID != "one" || w.Running != (queue.Load{}) || w.Oldest != 0 {
		t.Errorf("%+v: want an idle worker", w)
	}
}

// TestStateOfAFile: a store that is a file has runs, and no queue. Their rates are those of the
// last minute, and sink once nothing ends.
func TestStateOfAFile(t *testing.T) {
	s, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "assay.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	began := time.Date(2026, 11, 24, 9, 0, 0, 0, time.UTC)
	put := func(id, state string, started time.Time, records int) {
		h := assay.Header{ID: id, State: state, Started: started, Dataset: assay.DatasetInfo{Cases: 1000}}
		if err := s.CreateRun(t.Context(), h); err != nil {
			t.Fatal(err)
		}
		at := started
		for i := range records {
			// Slow at first, then one a second.
			at = at.Add(time.Second)
			if i < 100 {
				at = at.Add(9 * time.Second)
			}
			r := assay.Record{Seq: i, Case: assay.Case{ID: fmt.Sprint(i)}, Started: at}
			if i%50 == 0 {
				r.Failure = &assay.Failure{Kind: "timeout"}
			}
			if err := s.Put(t.Context(), id, r); err != nil {
				t.Fatal(err)
			}
		}
	}
	put("a", "running", began, 200)
	put("left", "running", began.Add(-time.Hour), 1)
	put("waiting", "queued", began.Add(time.Hour), 0)
	put("over", "finished", began, 3)
	unlock, err := s.Lock(t.Context(), "a")
	if err != nil {
		t.Fatal(err)
	}
	last := began.Add(1100 * time.Second)
	for _, test := range []struct {
		name       string
		now        time.Time
		rate, left float64
	}{
		{"while it goes on", last.Add(5 * time.Second), 1, 800},
		{"when nothing ends", last.Add(9 * time.Minute), 0.1, 8000},
	} {
		t.Run(test.name, func(t *testing.T) {
			state := stateOf(t, s, test.now)
			if state.Queue != nil || len(state.Workers) != 0 || len(state.Runs) != 3 {
				t.Fatalf("%+v: want three runs alone", state)
			}
			if ids := state.Runs[0].ID + state.Runs[1].ID + state.Runs[2].ID; ids != "waiting"+"a"+"left" {
				t.Errorf("%s: want the latest first", ids)
			}
			a, left := state.Runs[1], state.Runs[2]
			if !a.Session || a.Cases != 1000 || a.Done != 200 || a.Failed != 4 || a.Rate != test.rate || a.Left != test.left || a.Queue != nil {
				t.Errorf("%+v: want %g cases a second", a, test.rate)
			}
			if left.Session || left.Rate != 0 || left.Done != 1 || left.Budget != 0 {
				t.Errorf("%+v: want a run without a session", left)
			}
		})
	}
	if err := unlock(); err != nil {
		t.Fatal(err)
	}
}

// TestStateWithoutAQueue: looking makes no tables.
func TestStateWithoutAQueue(t *testing.T) {
	s, err := store.Open(t.Context(), server.Server(t).Database(t))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for range 2 {
		if state := stateOf(t, s, time.Now()); state.Queue != nil || len(state.Runs) != 0 {
			t.Errorf("%+v: want nothing", state)
		}
	}
}

// BenchmarkState looks at a store with 10,000 finished runs, 100,000 ended batches, three runs
// that go on, 600 batches of theirs and 200 workers.
func BenchmarkState(b *testing.B) {
	url := server.Server(b).Database(b)
	s, err := store.Open(b.Context(), url)
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	q, err := queue.Open(b.Context(), s, slog.New(slog.DiscardHandler))
	if err != nil {
		b.Fatal(err)
	}
	defer q.Close()
	for i := range 3 {
		h := assay.Header{ID: fmt.Sprint("going", i), State: "running", Started: time.Now(), Dataset: assay.DatasetInfo{Cases: 100_000}}
		if err := s.CreateRun(b.Context(), h); err != nil {
			b.Fatal(err)
		}
		var records []assay.Record
		for seq := range 1000 {
			records = append(records, assay.Record{Seq: seq, Case: assay.Case{ID: fmt.Sprint(seq)}, Started: time.Now()})
		}
		if err := s.Put(b.Context(), h.ID, records...); err != nil {
			b.Fatal(err)
		}
	}
	for i := range 200 {
		id := fmt.Sprint("worker", i)
		it := store.Item{Kind: store.KindWorker, ID: id, Created: time.Now(), Updated: time.Now(), Body: json.RawMessage(`{"host":"h"}`)}
		if err := s.PutItem(b.Context(), it); err != nil {
			b.Fatal(err)
		}
	}
	postgrestest.Exec(b, url,
		`INSERT INTO runs (id, name, state, started, dataset_hash, cases, head, checksum, tally)
			SELECT 'over' || i, 'n', 'finished', '2026', 'h', 100, (SELECT string_agg(md5((i * j)::text), '') FROM generate_series(1, 150) j), 0, 0
			FROM generate_series(1, 10000) i`,
		`INSERT INTO river_job (state, max_attempts, args, kind, queue, attempted_by, attempted_at, finalized_at)
			SELECT 'completed', 10, jsonb_build_object('run', 'over' || i % 10000, 'cases', '[1,2,3,4,5,6,7,8]'::jsonb), 'assay_cases', 'assay',
			ARRAY['worker1'], now(), now() FROM generate_series(1, 100000) i`,
		`INSERT INTO river_job (state, max_attempts, args, kind, queue, attempted_by, attempted_at)
			SELECT (CASE WHEN i <= 400 THEN 'running' ELSE 'available' END)::river_job_state, 10,
			jsonb_build_object('run', 'going' || i % 3, 'cases', '[1,2,3,4,5,6,7,8]'::jsonb), 'assay_cases', 'assay',
			ARRAY['worker' || i % 200], now() FROM generate_series(1, 600) i`,
		`ANALYZE`)
	v, err := queue.View(b.Context(), s)
	if err != nil {
		b.Fatal(err)
	}
	defer v.Close()
	for b.Loop() {
		state, err := v.State(b.Context(), time.Now())
		if err != nil || len(state.Runs) != 3 || len(state.Workers) != 200 || state.Queue.Running.Batches != 400 {
			b.Fatalf("%d runs, %d workers, %v", len(state.Runs), len(state.Workers), err)
		}
	}
}
