package server

import (
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// kill ends the server as a machine that loses its power does.
func (p *process) kill() {
	p.t.Helper()
	if err := p.cmd.Process.Kill(); err != nil {
		p.t.Fatal(err)
	}
	p.drained.Wait()
	p.gone = true
	_ = p.cmd.Wait() // it was killed
}

// awaits waits until the target was asked a number of times.
func (d *dammed) awaits(t *testing.T, n int) {
	t.Helper()
	for end := time.Now().Add(time.Minute); d.count() < n; time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("the target was asked %d times, want %d", d.count(), n)
		}
	}
}

func (d *dammed) count() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.asked
}

// TestACancelledRunStaysCancelled kills servers with SIGKILL in the middle of runs. One that was
// cancelled is not resumed, and neither is one during which three servers died.
func TestACancelledRunStaysCancelled(t *testing.T) {
	target := &dammed{let: make(chan struct{}), seen: map[string]int{}}
	h := httptest.NewServer(target)
	t.Cleanup(h.Close)
	dir := folder(t, map[string]string{
		"gold.jsonl": `{"id":"a","question":"Which river?","ground_truth":"The Thames."}` + "\n",
		"eval-config.yaml": "adapter: http\nendpoint: " + h.URL + "\nread: {answer: answer, passages: contexts}\n" +
			"metrics: [token_f1]\nretries: 0\ntimeout: 10m\ncache: \"off\"\nstore: \"" + newPlace(t) + "\"\n",
	})
	bin := program(t)
	serve := func() *process { return launch(t, bin, dir, "--datasets", ".", "--quiet") }
	p := serve()
	cancelled := p.begin(`{"dataset":"gold.jsonl"}`)
	target.awaits(t, 1)
	p.do("POST", "/api/v1/runs/"+cancelled+"/cancel", nil).want(t, 202)
	p.kill()
	p = serve()
	if v := read[RunView](t, p.do("GET", "/api/v1/runs/"+cancelled, nil).want(t, 200)); v.State != stateCancelled || v.Finished == nil {
		t.Errorf("%+v: want a cancelled run", v)
	}
	left := p.begin(`{"dataset":"gold.jsonl"}`)
	for n := range maxDeaths {
		target.awaits(t, 2+n)
		p.kill()
		p = serve()
	}
	v := read[RunView](t, p.do("GET", "/api/v1/runs/"+left, nil).want(t, 200))
	if v.State != stateInterrupted || !slices.ContainsFunc(v.Warnings, func(w string) bool { return strings.Contains(w, "3 servers in a row died") }) {
		t.Errorf("%+v: want an abandoned run", v)
	}
	// Both are resumed when somebody asks for it.
	close(target.let)
	for i, id := range []string{cancelled, left} {
		p.do("POST", "/api/v1/runs/"+id+"/resume", nil).want(t, 202)
		if v := p.ended(id); v.State != stateFinished || v.Done != 1 {
			t.Errorf("%+v: want a finished run", v)
		}
		target.awaits(t, 2+maxDeaths+i)
	}
	if n := target.count(); n != 3+maxDeaths {
		t.Errorf("the target was asked %d times: a run was resumed that nobody wanted", n)
	}
	p.stop()
}

// TestACancelledJobStaysCancelled: the store knows that a job is cancelled before its calls in
// flight have ended.
func TestACancelledJobStaysCancelled(t *testing.T) {
	model := newGatedModel(t)
	first := start(t, model.judging(t))
	ids := first.questions(6) // more than are evaluated at once
	v := first.evaluations(map[string]any{"result_ids": ids, "dimensions": []string{"key_questions"}})
	model.open(1)
	first.waits("a call", func() bool { return first.job(v.ID).Cost > 0 })
	first.do("POST", "/api/v1/jobs/"+v.ID+"/cancel", nil).want(t, 202)
	second := startOn(t, first.store, model.judging(t))
	if w := second.job(v.ID); w.State != stateCancelled {
		t.Errorf("%+v: want a cancelled job", w)
	}
	model.open(100)
	first.done(v.ID)
	second.do("POST", "/api/v1/jobs/"+v.ID+"/resume", nil).want(t, 202)
	if w := second.done(v.ID); w.State != stateFinished || w.Done != 6 {
		t.Errorf("%+v: want a finished job", w)
	}
}

// hanging makes the preparation of every run hang, whatever its context says, until it is freed.
func hanging(t *testing.T) (change func(*Config), armed *atomic.Bool, hangs <-chan struct{}, free func()) {
	t.Helper()
	armed = new(atomic.Bool)
	gate, reached := make(chan struct{}), make(chan struct{}, 10)
	free = sync.OnceFunc(func() { close(gate) })
	t.Cleanup(free)
	return func(c *Config) {
		path := c.World.Path
		c.Grace = 10 * time.Millisecond
		c.World.Path = func(p string) string {
			if p == c.Settings.Corpus && armed.Load() {
				reached <- struct{}{}
				<-gate
			}
			return path(p)
		}
	}, armed, reached, free
}

// TestARunThatDoesNotEndIsAbandoned: it gives its place to others, and no server resumes it by
// itself.
func TestARunThatDoesNotEndIsAbandoned(t *testing.T) {
	change, armed, hangs, free := hanging(t)
	rivers := withRivers(t)
	b := start(t, rivers, change)
	armed.Store(true)
	abandoned := func(b *bench, id, state string) {
		t.Helper()
		v := b.ended(id)
		if v.State != state || !slices.ContainsFunc(v.Warnings, func(w string) bool { return strings.Contains(w, "abandoned: the run did not end within") }) {
			t.Errorf("%+v: want a run that is %s and says that it was abandoned", v, state)
		}
	}
	one := b.begin(`{"dataset":"rivers.jsonl"}`)
	<-hangs
	two := b.begin(`{"dataset":"rivers.jsonl"}`)
	b.do("POST", "/api/v1/runs/"+one+"/cancel", nil).want(t, 202)
	<-hangs // the second run has the place of the first
	abandoned(b, one, stateCancelled)
	b.server.Stop()
	b.server.Wait()
	second := startOn(t, b.store, rivers)
	abandoned(second, two, stateInterrupted)
	second.do("POST", "/api/v1/runs/"+two+"/resume", nil).want(t, 202)
	second.ended(two)
	free() // what ends at last says nothing of a run that another server has finished
	for range 50 {
		if v := read[RunView](t, second.do("GET", "/api/v1/runs/"+two, nil).want(t, 200)); v.State != stateFinished {
			t.Fatalf("%+v: want a finished run", v)
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// TestARunHasATimeLimit: what takes longer than the server allows gives its place to others, and
// no request may set a rate that would hold it.
func TestARunHasATimeLimit(t *testing.T) {
	change, armed, hangs, _ := hanging(t)
	b := start(t, withRivers(t), change, func(c *Config) { c.RunLimit = 2 * time.Second })
	slow := b.do("POST", "/api/v1/runs", `{"dataset":"rivers.jsonl","config":{"rate":0.00001}}`).want(t, 400)
	if !strings.Contains(slow.text, "rate must be 0 (no limit) or at least 0.1 questions per second") {
		t.Error(slow.text)
	}
	armed.Store(true)
	one := b.begin(`{"dataset":"rivers.jsonl"}`)
	<-hangs
	armed.Store(false)
	two := b.begin(`{"dataset":"rivers.jsonl"}`)
	v := b.ended(one)
	if v.State != stateInterrupted || !slices.ContainsFunc(v.Warnings, func(w string) bool {
		return strings.Contains(w, "stopped after 2s, the server's limit for a run (--run-limit)")
	}) {
		t.Errorf("%+v: want a run that was stopped by the limit", v)
	}
	if v := b.ended(two); v.State != stateFinished {
		t.Errorf("%+v: want a finished run", v)
	}
}

// TestALongSearchIsABadRequest: no database takes a pattern of any length.
func TestALongSearchIsABadRequest(t *testing.T) {
	b := start(t)
	for _, path := range []string{"/?q=", "/search?q=", "/api/v1/runs?q="} {
		b.do("GET", path+strings.Repeat("x", 60_000), nil).want(t, 400)
	}
	b.do("GET", "/search?q=x", nil).want(t, 200)
}
