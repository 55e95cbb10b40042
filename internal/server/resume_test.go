package server

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/config"
	"github.com/assay-eval/assay/store/storetest"
)

// A gatedTarget answers as often as it is let.
type gatedTarget struct {
	let  chan struct{}
	mu   sync.Mutex
	seen map[string]int
}

func newGated() *gatedTarget {
	return &gatedTarget{let: make(chan struct{}, 100), seen: map[string]int{}}
}

func (g *gatedTarget) Ask(ctx context.Context, c *assay.Case) (assay.Response, error) {
	select {
	case <-g.let:
	case <-ctx.Done():
		return assay.Response{}, ctx.Err()
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.seen[c.ID]++
	return assay.Response{NoAnswer: true, Passages: []assay.Passage{{Document: "thames.md", Text: "The Thames."}}}, nil
}

func (g *gatedTarget) open(n int) {
	for range n {
		g.let <- struct{}{}
	}
}

func with(target assay.Target) func(*Config) {
	return func(c *Config) {
		c.World.Target = target
		if err := c.Settings.Set("timeout", "1h", config.FromFlag, "test"); err != nil {
			panic(err)
		}
	}
}

func TestARunThatAServerLeftIsFinishedByTheNext(t *testing.T) {
	target, rivers := newGated(), withRivers(t)
	first := start(t, rivers, with(target))
	running := first.begin(`{"dataset":"rivers.jsonl"}`)
	waiting := first.begin(`{"dataset":"rivers.jsonl"}`)
	target.open(1)
	first.follow(running, "", "case")
	first.server.Stop()
	// The case in flight is finished.
	target.open(1)
	first.server.Wait()
	if h, err := first.store.Run(t.Context(), running); err != nil || h.State != stateInterrupted {
		t.Errorf("%+v (%v): want an interrupted run", h.State, err)
	}
	if h, err := first.store.Run(t.Context(), waiting); err != nil || h.State != stateQueued {
		t.Errorf("%+v (%v): want a run that waits", h.State, err)
	}
	first.do("POST", "/api/v1/runs", `{"dataset":"rivers.jsonl"}`).want(t, 503)
	first.do("GET", "/readyz", nil).want(t, 503)
	first.do("GET", "/healthz", nil).want(t, 200)

	target.open(4)
	second := startOn(t, first.store, rivers, with(target))
	for _, id := range []string{running, waiting} {
		if v := second.ended(id); v.State != stateFinished || v.Done != 3 {
			t.Errorf("%+v: want a finished run", v)
		}
	}
	// Six questions for two runs of three cases: none was asked twice in a run.
	for id, n := range target.seen {
		if n != 2 {
			t.Errorf("case %s was asked %d times, want once in each run", id, n)
		}
	}
	events := second.follow(running, "1", "done")
	var ids []string
	for _, e := range events {
		if e.name == "case" {
			ids = append(ids, e.id)
		}
	}
	if strings.Join(ids, " ") != "2 3" {
		t.Errorf("behind event 1 of the first server came %v, want 2 3", ids)
	}
}

func TestARunIsCancelledAndGoesOn(t *testing.T) {
	target := newGated()
	b := start(t, withRivers(t), with(target))
	id := b.begin(`{"dataset":"rivers.jsonl"}`)
	waiting := b.begin(`{"dataset":"rivers.jsonl"}`)
	target.open(1)
	b.follow(id, "", "case")
	b.do("GET", "/api/v1/runs/"+id, nil).want(t, 200)
	if len(b.server.lives.by) > 0 {
		t.Error("the server reads the records of its own run from the store")
	}
	b.do("DELETE", "/api/v1/runs/"+id, nil).want(t, 409)
	holds := func(want string) {
		t.Helper()
		if text := b.see("/runs/" + waiting); !strings.Contains(text, want) {
			t.Errorf("the page of a run that waits lacks %q:\n%s", want, text)
		}
	}
	holds("It waits for its turn.")
	b.do("POST", "/api/v1/runs/"+waiting+"/cancel", nil).want(t, 202)
	if v := b.ended(waiting); v.State != stateCancelled || v.Done != 0 {
		t.Errorf("%+v: want a cancelled run", v)
	}
	holds("No case was evaluated: the run is cancelled.")
	if got := b.meter("assay_runs_total"); got[`assay_runs_total{state="cancelled"}`] != "1" {
		t.Errorf("%v: want a cancelled run", got)
	}
	b.do("POST", "/api/v1/runs/"+id+"/cancel", nil).want(t, 202)
	target.open(1)
	v := b.ended(id)
	if v.State != stateCancelled || v.Done != 2 {
		t.Errorf("%+v: want a cancelled run with the case that was in flight", v)
	}
	b.do("POST", "/api/v1/runs/"+waiting+"/resume", nil).want(t, 202)
	// While another run has the place, a run with cases waits as one without does.
	if v := read[RunView](t, b.do("POST", "/api/v1/runs/"+id+"/resume", nil).want(t, 202)); v.State != stateQueued {
		t.Errorf("%+v: want a run that waits", v)
	}
	if l := read[page[RunView]](t, b.do("GET", "/api/v1/runs?state=queued", nil).want(t, 200)); !slices.ContainsFunc(l.Items, func(v RunView) bool { return v.ID == id && v.Done == 2 }) {
		t.Errorf("%+v: want the run that waits, with its cases", l)
	}
	if text := b.see("/runs/" + id); !strings.Contains(text, "<run-live") {
		t.Error("the page of a run that waits does not follow it")
	}
	target.open(4)
	for _, id := range []string{id, waiting} {
		if v := b.ended(id); v.State != stateFinished || v.Done != 3 {
			t.Errorf("%+v: want a finished run", v)
		}
	}
	for id, n := range target.seen {
		if n != 2 {
			t.Errorf("case %s was asked %d times, want once in each run", id, n)
		}
	}
}

func TestTheQueueIsBounded(t *testing.T) {
	target := newGated()
	b := start(t, withRivers(t), with(target), func(c *Config) { c.Waiting = 1 })
	going := b.begin(`{"dataset":"rivers.jsonl"}`)
	target.open(1)
	b.follow(going, "", "case")
	b.begin(`{"dataset":"rivers.jsonl"}`)
	if g := b.do("POST", "/api/v1/runs", `{"dataset":"rivers.jsonl"}`).want(t, 503); g.Header.Get("Retry-After") == "" {
		t.Error("no word of when to come again")
	}
	target.open(5)
}

// A run whose process died is interrupted wherever it is shown, also before anybody looks at its stream.
func TestADeadRunIsShownInterrupted(t *testing.T) {
	b := start(t)
	for i, id := range []string{"dead", "alive"} {
		h := storetest.Header(i)
		h.ID, h.State, h.Started = id, stateRunning, time.Now()
		if err := b.store.CreateRun(t.Context(), h); err != nil {
			t.Fatal(err)
		}
	}
	b.held("alive")
	l := read[page[RunView]](t, b.do("GET", "/api/v1/runs?state=interrupted", nil).want(t, 200))
	if len(l.Items) != 1 || l.Items[0].ID != "dead" {
		t.Errorf("%+v: want the dead run", l.Items)
	}
	for id, want := range map[string]string{"dead": stateInterrupted, "alive": stateRunning} {
		if v := read[RunView](t, b.do("GET", "/api/v1/runs/"+id, nil).want(t, 200)); v.State != want {
			t.Errorf("%s is %s, want %s", id, v.State, want)
		}
	}
	if got := b.see("/runs/alive"); !strings.Contains(got, "This run has not ended") || strings.Contains(b.see("/runs/dead"), "This run has not ended") {
		t.Error("want only the run that lives to go on")
	}
}

// A stream of a run whose process died ends, and tells that it is interrupted;
// one whose process lives goes on.
func TestARunThatNobodyWorksOnIsInterrupted(t *testing.T) {
	place := newPlace(t)
	b := startOn(t, opened(t, place), func(c *Config) { c.Look = time.Millisecond })
	h := storetest.Header(1)
	h.State = stateRunning
	if err := b.store.CreateRun(t.Context(), h); err != nil {
		t.Fatal(err)
	}
	if err := b.store.Put(t.Context(), h.ID, storetest.Records(0, 2)...); err != nil {
		t.Fatal(err)
	}
	other := opened(t, place)
	unlock, err := other.Lock(t.Context(), h.ID)
	if err != nil {
		t.Fatal(err)
	}
	beats := b.listen(h.ID, "")
	beats.until("case")
	beats.until("case")
	// It is quiet for long, and then there is another case.
	for range 3 * patience {
		if now, err := b.store.IfAlive(t.Context(), h, time.Now()); err != nil || now.State != stateRunning {
			t.Fatalf("%q, %v: want a run that goes on", now.State, err)
		}
	}
	if err := other.Put(t.Context(), h.ID, storetest.Record(2)); err != nil {
		t.Fatal(err)
	}
	beats.until("case")
	if err := unlock(); err != nil {
		t.Fatal(err)
	}
	events := beats.until("done")
	if last := events[len(events)-1].data; !strings.Contains(last, `"state":"interrupted","done":3`) {
		t.Errorf("%s: want an interrupted run of three cases", last)
	}
	if v := read[RunView](t, b.do("GET", "/api/v1/runs/"+h.ID, nil).want(t, 200)); v.State != stateInterrupted || v.Finished == nil {
		t.Errorf("%+v: want an interrupted run", v)
	}
}
