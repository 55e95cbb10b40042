package server

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/assay-eval/assay/store/storetest"
)

// A stuck is a client that asks and does not read.
type stuck struct {
	http.ResponseWriter
	arrived chan<- struct{}
	until   <-chan struct{}
}

func (s stuck) Write(p []byte) (int, error) {
	s.arrived <- struct{}{}
	<-s.until
	return s.ResponseWriter.Write(p)
}

// TestSlowReaders has more clients than there are turns ask and not read: each gets its
// reply, and so does a client that comes after them.
func TestSlowReaders(t *testing.T) {
	t.Parallel()
	b := start(t)
	arrived, until, ended := make(chan struct{}), make(chan struct{}), make(chan struct{})
	h := b.server.Handler()
	ask := func() *http.Request {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/api/v1/runs", nil)
		r.Host = "localhost"
		return r
	}
	const clients = maxReads + 8
	for range clients {
		go func() {
			h.ServeHTTP(stuck{httptest.NewRecorder(), arrived, until}, ask())
			ended <- struct{}{}
		}()
	}
	deadline := time.After(time.Minute) // reached only if a client waits for ever
	for i := range clients {
		select {
		case <-arrived:
		case <-deadline:
			t.Fatalf("%d of %d clients got a reply", i, clients)
		}
	}
	b.do("GET", "/api/v1/runs", nil).want(t, 200)
	close(until)
	for range clients {
		<-ended
	}
}

// TestProbesTakeNoTurn uses up all turns: probes, the documentation and the contract
// answer.
func TestProbesTakeNoTurn(t *testing.T) {
	t.Parallel()
	b := start(t)
	for range maxReads {
		b.server.reads <- struct{}{}
	}
	for _, path := range []string{"/healthz", "/readyz", "/docs", "/docs.css", "/openapi.json"} {
		b.do("GET", path, nil).want(t, 200)
	}
}

func withToken(token string) context.Context {
	return context.WithValue(context.Background(), whoKey{}, &Token{ID: token})
}

func TestShare(t *testing.T) {
	t.Parallel()
	s := newShare(2, "reports")
	ctx := withToken("one")
	first, err := s.take(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.take(ctx); err != nil {
		t.Fatal(err)
	}
	if _, err := s.take(ctx); err == nil || !strings.Contains(err.Error(), "2 reports in progress") {
		t.Errorf("a third of the same token: %v", err)
	}
	for _, other := range []context.Context{withToken("two"), context.Background(), context.Background(), context.Background()} {
		if _, err := s.take(other); err != nil {
			t.Errorf("another client: %v", err)
		}
	}
	first()
	if _, err := s.take(ctx); err != nil {
		t.Errorf("after one ended: %v", err)
	}
}

// TestRendersOfAToken asks for a report and a comparison with a token that has its share
// in progress.
func TestRendersOfAToken(t *testing.T) {
	t.Parallel()
	b := start(t)
	h := storetest.Header(1)
	h.State = stateFinished
	if err := b.store.CreateRun(t.Context(), h); err != nil {
		t.Fatal(err)
	}
	other := h
	other.ID = "another"
	if err := b.store.CreateRun(t.Context(), other); err != nil {
		t.Fatal(err)
	}
	kept, secret := b.issue(ScopeRead, time.Time{})
	b.server.renders.used[kept.ID] = maxRenders
	both := "?runs=" + h.ID + ",another"
	for _, path := range []string{"/api/v1/runs/" + h.ID + "/report.json", "/api/v1/compare" + both, "/api/v1/compare" + both + "&cases=false"} {
		g := b.do("GET", path, nil, "Authorization", "Bearer "+secret)
		if g.StatusCode != http.StatusTooManyRequests || g.Header.Get("Retry-After") == "" {
			t.Errorf("%s: %d %s: want 429", path, g.StatusCode, g.text)
		}
	}
	b.do("GET", "/api/v1/runs/"+h.ID+"/report.json", nil).want(t, 200)
}

// TestQueueOfAToken fills the half of a queue that one token may have.
func TestQueueOfAToken(t *testing.T) {
	t.Parallel()
	q := &queue{s: &Server{cfg: Config{Waiting: 4}}, waiting: [lanes][]ticket{laneRuns: {{"a", "one"}, {"b", "one"}}}}
	if err := q.room(withToken("one"), laneRuns); err == nil || !strings.Contains(err.Error(), "2 runs of this token are already waiting") {
		t.Errorf("%v: want a 429", err)
	}
	for _, other := range []context.Context{withToken("two"), context.Background()} {
		if err := q.room(other, laneRuns); err != nil {
			t.Errorf("another client: %v", err)
		}
	}
	if err := q.room(withToken("one"), laneJobs); err != nil {
		t.Errorf("a job of the token: %v", err)
	}
}
