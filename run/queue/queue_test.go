package queue_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/run"
	"github.com/assay-eval/assay/run/queue"
	"github.com/assay-eval/assay/store"
	"github.com/assay-eval/assay/store/postgrestest"
)

var server postgrestest.Shared

func TestMain(m *testing.M) {
	code := m.Run()
	if err := server.Close(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	if err := goleak.Find(); err != nil && code == 0 {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

// hall is a queue with workers in this process.
type hall struct {
	*testing.T
	store *store.Store
	queue *queue.Queue
	// ask answers the cases.
	ask func(ctx context.Context, c *assay.Case) (assay.Response, error)
	// refuse is why a worker refuses all runs, by its id.
	refuse sync.Map
	// prepared counts the runs that workers have prepared, closed those that they closed, and
	// refusals how often a worker refused one.
	prepared, closed, refusals atomic.Int64
	// url is the address of the database.
	url string
	// said is what workers told.
	mu   sync.Mutex
	said []string
	// ahead is how far the clock of the workers is ahead.
	ahead atomic.Int64
	// timeout is that of the target, if it is above 0.
	timeout time.Duration
	// learned returns what workers have learned; nothing if it is nil.
	learned atomic.Pointer[func() queue.Learned]
}

func newHall(t *testing.T) *hall {
	t.Helper()
	return hallOn(t, server.Server(t).Database(t), func(text string) { t.Log(text) })
}

// hallOn returns a queue on a database. tell is told when it is away and back.
func hallOn(t *testing.T, url string, tell func(text string)) *hall {
	t.Helper()
	s, err := store.Open(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	s = s.Patient(store.Patience{Limit: time.Minute, Now: time.Now, Tell: tell})
	q, err := queue.Open(t.Context(), s, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		q.Close()
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return &hall{T: t, url: url, store: s, queue: q, ask: func(_ context.Context, c *assay.Case) (assay.Response, error) {
		time.Sleep(2 * time.Millisecond)
		return assay.Response{Answer: c.ID}, nil
	}}
}

// worker starts a worker; stop asks it to end and waits.
func (h *hall) worker(id string, batches int) (stop func()) {
	h.Helper()
	now := func() time.Time { return time.Now().Add(time.Duration(h.ahead.Load())) }
	w := &queue.Worker{Queue: h.queue, Host: "here", ID: id, Version: "v1", Batches: batches, Now: now,
		Tell: func(text string) {
			h.mu.Lock()
			defer h.mu.Unlock()
			h.said = append(h.said, text)
		},
		Prepare: func(_ context.Context, head assay.Header) (queue.Evaluation, error) {
			if why, ok := h.refuse.Load(id); ok {
				h.refusals.Add(1)
				return nil, &queue.RefusedError{Err: why.(error)}
			}
			h.prepared.Add(1)
			return evaluation{h, head.Asked()}, nil
		}}
	end := make(chan struct{})
	var working sync.WaitGroup
	working.Go(func() {
		if err := w.Run(context.WithoutCancel(h.Context()), end); err != nil {
			h.Error(err)
		}
	})
	var once sync.Once
	stop = func() {
		once.Do(func() { close(end) })
		working.Wait()
	}
	h.Cleanup(stop)
	return stop
}

type evaluation struct {
	*hall
	cases int
}

func (e evaluation) Config(context.Context) (run.Config, error) { return e.config(e.cases), nil }

func (e evaluation) Learned() queue.Learned {
	if learned := e.learned.Load(); learned != nil {
		return (*learned)()
	}
	return queue.Learned{}
}

func (e evaluation) Close() error {
	e.closed.Add(1)
	return nil
}

// target asks the hall.
type target struct{ *hall }

func (t target) Ask(ctx context.Context, c *assay.Case) (assay.Response, error) { return t.ask(ctx, c) }

func (h *hall) config(cases int) run.Config {
	cfg := run.Defaults()
	var all []assay.Case
	for i := range cases {
		all = append(all, assay.Case{ID: fmt.Sprint("q", i), Question: "?"})
	}
	cfg.Cases, cfg.Target, cfg.Now, cfg.Retries, cfg.Concurrency = assay.CasesOf(all...), target{h}, time.Now, 0, 2
	if h.timeout > 0 {
		cfg.Timeout = h.timeout
	}
	return cfg
}

// perform performs a run over the queue, and returns its records and why it ended early.
func (h *hall) perform(id string, cases int, stop <-chan struct{}, change func(*queue.Dispatcher), each func(n int)) (records []assay.Record, err error) {
	h.Helper()
	p := run.Plan{Header: assay.Header{ID: id, State: "running", Dataset: assay.DatasetInfo{Cases: cases}}, Config: h.config(cases)}
	d := &queue.Dispatcher{Queue: h.queue, Run: id, Batch: 8}
	if change != nil {
		change(d)
	}
	p.Config.Dispatcher, p.Config.Stop = d, stop
	if head, err := h.store.Run(h.Context(), id); err == nil {
		if err := p.Resume(head); err != nil {
			h.Fatal(err)
		}
	}
	s, err := run.Begin(h.Context(), p, h.store)
	if err != nil {
		h.Fatal(err)
	}
	var ended error
	for r, err := range s.Records(h.Context()) {
		if err != nil {
			ended = err
			break
		}
		records = append(records, r)
		if each != nil {
			each(len(records))
		}
	}
	if _, err := s.Finish(h.Context(), ended); err != nil {
		h.Error(err)
	}
	return records, ended
}

// once fails unless the records are those of all cases, each once.
func (h *hall) once(records []assay.Record, cases int) {
	h.Helper()
	seen := map[int]bool{}
	for _, r := range records {
		if seen[r.Seq] || r.Response == nil || r.Response.Answer != r.Case.ID {
			h.Errorf("case %d: %+v", r.Seq, r)
		}
		seen[r.Seq] = true
	}
	if len(seen) != cases {
		h.Errorf("%d records, want %d", len(seen), cases)
	}
}

// TestQueue: two runs at once over two workers. The short one, which began later, does not wait
// for the end of the long one. What workers prepared is closed when they end.
func TestQueue(t *testing.T) {
	h := newHall(t)
	stops := []func(){h.worker("one", 1), h.worker("two", 2)}
	const long, short = 900, 40
	var longDone, atEnd atomic.Int64
	began := make(chan struct{})
	var both sync.WaitGroup
	both.Go(func() {
		records, err := h.perform("long", long, nil, nil, func(n int) {
			longDone.Store(int64(n))
			if n == 1 {
				close(began)
			}
		})
		if err != nil {
			t.Error(err)
		}
		h.once(records, long)
	})
	both.Go(func() {
		<-began
		records, err := h.perform("short", short, nil, nil, nil)
		atEnd.Store(longDone.Load())
		if err != nil {
			t.Error(err)
		}
		h.once(records, short)
	})
	both.Wait()
	if n := atEnd.Load(); n >= long {
		t.Errorf("the short run ended after %d of %d cases of the long one: want workers to divide their time", n, long)
	}
	for _, stop := range stops {
		stop()
	}
	if h.prepared.Load() < 2 || h.prepared.Load() != h.closed.Load() {
		t.Errorf("%d runs were prepared, %d closed", h.prepared.Load(), h.closed.Load())
	}
}

// TestQueueStops: a run that is stopped keeps what was in flight, and asks nothing again when it
// is resumed.
func TestQueueStops(t *testing.T) {
	h := newHall(t)
	h.worker("one", 2)
	const cases = 300
	var asked atomic.Int64
	ask := h.ask
	h.ask = func(ctx context.Context, c *assay.Case) (assay.Response, error) {
		asked.Add(1)
		return ask(ctx, c)
	}
	stop := make(chan struct{})
	records, err := h.perform("r", cases, stop, nil, func(n int) {
		if n == 20 {
			close(stop)
		}
	})
	if !errors.Is(err, run.ErrStopped) || len(records) < 20 || len(records) >= cases || int64(len(records)) != asked.Load() {
		t.Errorf("%d records of %d asked cases, %v: want the records of those that were asked", len(records), asked.Load(), err)
	}
	records, err = h.perform("r", cases, nil, nil, nil)
	if err != nil {
		t.Error(err)
	}
	h.once(records, cases)
	if asked.Load() != cases {
		t.Errorf("%d questions for %d cases", asked.Load(), cases)
	}
}

// TestQueueTakesOverFromAStuckWorker: a worker whose batch makes no progress loses it within a
// minute, although its process and its connection are there.
func TestQueueTakesOverFromAStuckWorker(t *testing.T) {
	h := newHall(t)
	h.timeout = time.Hour
	const cases = 8
	free := make(chan struct{})
	var asked atomic.Int64
	h.ask = func(_ context.Context, c *assay.Case) (assay.Response, error) {
		if c.ID == "q0" && asked.Add(1) == 1 {
			<-free
		}
		return assay.Response{Answer: c.ID}, nil
	}
	first := h.worker("one", 1)
	defer first()
	defer close(free)
	var since time.Time
	var said []string
	records, err := h.perform("r", cases, nil, func(d *queue.Dispatcher) { d.Tell = func(text string) { said = append(said, text) } }, func(n int) {
		if n == cases-1 {
			time.Sleep(200 * time.Millisecond) // until the worker knows, too
			since = time.Now()
			h.ahead.Store(int64(24 * time.Hour)) // a day without the end of a case
			h.worker("two", 1)
		}
	})
	if err != nil {
		t.Error(err)
	}
	h.once(records, cases)
	if took := time.Since(since); took > time.Minute || asked.Load() != 2 {
		t.Errorf("the case was asked %d times and took %v: want another worker within a minute", asked.Load(), took)
	}
	if len(said) != 1 || !strings.Contains(said[0], "worker one does not respond") {
		t.Errorf("said %q", said)
	}
}

// TestQueueTroubles: what would fail everywhere ends the run.
func TestQueueTroubles(t *testing.T) {
	h := newHall(t)
	h.worker("one", 1)
	h.ask = func(context.Context, *assay.Case) (assay.Response, error) { panic("broken") }
	records, err := h.perform("broken", 12, nil, nil, nil)
	if err != nil || len(records) != 12 || records[0].Failure == nil {
		t.Errorf("%d records, %v: a target that panics fails its cases", len(records), err)
	}
	if _, err := queue.Open(t.Context(), oneMachine(t), slog.New(slog.DiscardHandler)); !errors.Is(err, store.ErrOneMachine) {
		t.Errorf("%v: want %v", err, store.ErrOneMachine)
	}
}

// TestQueueBeginsInAnOutage: a worker that begins while the database is away waits for it.
func TestQueueBeginsInAnOutage(t *testing.T) {
	own := postgrestest.Start(t)
	own.Exec(t, "postgres", `CREATE DATABASE hall`)
	away := make(chan struct{})
	var once sync.Once
	h := hallOn(t, own.URL("hall"), func(string) { once.Do(func() { close(away) }) })
	if err := own.Kill(); err != nil {
		t.Fatal(err)
	}
	h.worker("one", 1)
	<-away
	if err := own.Restart(); err != nil {
		t.Fatal(err)
	}
	records, err := h.perform("r", 30, nil, nil, nil)
	if err != nil {
		t.Error(err)
	}
	h.once(records, 30)
}

func oneMachine(t *testing.T) *store.Store {
	t.Helper()
	s, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "assay.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}
