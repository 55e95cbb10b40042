package queue_test

import (
	"database/sql"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/assay-eval/assay/run"
	"github.com/assay-eval/assay/run/queue"
)

// takes returns how often a worker has taken a batch.
func (h *hall) takes(worker string) (n int) {
	h.Helper()
	db, err := sql.Open("pgx", h.url)
	if err == nil {
		err = db.QueryRowContext(h.Context(), `SELECT count(*) FROM river_job, unnest(attempted_by) AS taker WHERE taker = $1`, worker).Scan(&n)
		err = errors.Join(err, db.Close())
	}
	if err != nil {
		h.Fatal(err)
	}
	return n
}

// heard returns a function that keeps what the session of a run tells, and a channel that is
// closed once a text contains want.
func heard(want string) (tell func(*queue.Dispatcher), texts func() []string, was <-chan struct{}) {
	var mu sync.Mutex
	var all []string
	found := make(chan struct{})
	var once sync.Once
	tell = func(d *queue.Dispatcher) {
		d.Tell = func(text string) {
			mu.Lock()
			all = append(all, text)
			mu.Unlock()
			if strings.Contains(text, want) {
				once.Do(func() { close(found) })
			}
		}
	}
	texts = func() []string {
		mu.Lock()
		defer mu.Unlock()
		return slices.Clone(all)
	}
	return tell, texts, found
}

var errDataset = errors.New("it has another dataset")

// TestQueueRefusals: a worker that refuses a run takes none of its batches after those that it
// has taken at first, and says so once on each side. Another run it evaluates.
func TestQueueRefusals(t *testing.T) {
	h := newHall(t)
	h.refuse.Store("other", errDataset)
	h.worker("other", 2)
	tell, texts, refused := heard("worker other refuses the run: it has another dataset")
	var joining sync.WaitGroup
	leave := func() {}
	joining.Go(func() {
		<-refused
		leave = h.worker("one", 1)
	})
	const cases = 200
	records, err := h.perform("r", cases, nil, tell, nil)
	joining.Wait()
	if err != nil {
		t.Error(err)
	}
	h.once(records, cases)
	if n := h.takes("other"); n < 1 || n > 2 {
		t.Errorf("the worker that refuses took %d batches of %d: want as many as it takes at once, 2", n, cases/8)
	}
	if said := texts(); len(said) != 1 {
		t.Errorf("the session told %q: want the refusal, once", said)
	}
	h.mu.Lock()
	if len(h.said) != 1 || !strings.Contains(h.said[0], "left to other workers: it has another dataset") {
		t.Errorf("the worker told %q: want the refusal, once", h.said)
	}
	h.mu.Unlock()

	leave()
	h.refuse.Delete("other")
	before := h.takes("other")
	records, err = h.perform("another", cases, nil, nil, nil)
	if err != nil {
		t.Error(err)
	}
	h.once(records, cases)
	if h.takes("other") == before {
		t.Error("the worker takes no other run")
	}
}

// TestQueueLooksAgain: a run that all workers refuse waits and says so. A worker that can
// evaluate it after a minute, or when the run is resumed, does.
func TestQueueLooksAgain(t *testing.T) {
	h := newHall(t)
	h.refuse.Store("one", errDataset)
	h.worker("one", 1)
	tell, texts, waits := heard("the run waits for one that does not")
	var later sync.WaitGroup
	later.Go(func() {
		<-waits
		if n := h.refusals.Load(); n != 1 {
			t.Errorf("the run was prepared %d times within a minute: want once", n)
		}
		h.refuse.Delete("one")
		h.ahead.Add(int64(time.Minute))
	})
	const cases = 40
	records, err := h.perform("later", cases, nil, tell, nil)
	later.Wait()
	if err != nil {
		t.Error(err)
	}
	h.once(records, cases)
	if said := texts(); len(said) != 2 {
		t.Errorf("the session told %q: want the refusal and that it waits", said)
	}

	h.refuse.Store("one", errDataset)
	stop := make(chan struct{})
	tell, _, refused := heard("refuses the run")
	later.Go(func() {
		<-refused
		close(stop)
	})
	if _, err := h.perform("resumed", cases, stop, tell, nil); !errors.Is(err, run.ErrStopped) {
		t.Errorf("%v: want %v", err, run.ErrStopped)
	}
	later.Wait()
	h.refuse.Delete("one")
	records, err = h.perform("resumed", cases, nil, nil, nil)
	if err != nil {
		t.Error(err)
	}
	h.once(records, cases)
	if n := h.refusals.Load(); n != 2 {
		t.Errorf("the worker refused %d times, want twice", n)
	}
}

// TestQueueElsewhere: nobody evaluates a run whose target is a program of another machine.
func TestQueueElsewhere(t *testing.T) {
	h := newHall(t)
	h.worker("one", 1)
	stop := make(chan struct{})
	tell, _, refused := heard("use a worker there")
	var later sync.WaitGroup
	later.Go(func() {
		<-refused
		close(stop)
	})
	_, err := h.perform("elsewhere", 10, stop, func(d *queue.Dispatcher) {
		tell(d)
		d.Host = "there"
	}, nil)
	later.Wait()
	if !errors.Is(err, run.ErrStopped) || h.prepared.Load() != 0 {
		t.Errorf("%v, prepared %d times: want nobody to evaluate it", err, h.prepared.Load())
	}
}
