package server

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

func TestARequestWithAKeyIsDoneOnce(t *testing.T) {
	began := time.Now()
	var passed atomic.Int64 // read by the workers of the queue too
	b := start(t, withRivers(t), func(c *Config) {
		c.World.Now = func() time.Time { return began.Add(time.Duration(passed.Load())) }
	})
	const body = `{"dataset":"rivers.jsonl"}`
	first := b.do("POST", "/api/v1/runs", body, "Idempotency-Key", "k1").want(t, 202)
	id := read[RunView](t, first).ID
	again := b.do("POST", "/api/v1/runs", body, "Idempotency-Key", "k1").want(t, 202)
	if again.text != first.text || again.Header.Get("Location") != first.Header.Get("Location") ||
		again.Header.Get("Idempotency-Replayed") != "true" {
		t.Errorf("again %s, want %s", again.text, first.text)
	}
	b.do("POST", "/api/v1/runs", body+" ", "Idempotency-Key", "k1").want(t, 422)
	if other := read[RunView](t, b.do("POST", "/api/v1/runs", body, "Idempotency-Key", "k2").want(t, 202)).ID; other == id {
		t.Error("another key gave the same run")
	}
	// What was wrong is wrong again.
	wrong := b.do("POST", "/api/v1/runs", `{"dataset":"none"}`, "Idempotency-Key", "k3").want(t, 400)
	if again := b.do("POST", "/api/v1/runs", `{"dataset":"none"}`, "Idempotency-Key", "k3").want(t, 400); again.text != wrong.text {
		t.Errorf("again %s, want %s", again.text, wrong.text)
	}
	for _, bad := range []string{strings.Repeat("k", 256), "k k"} {
		b.do("POST", "/api/v1/runs", body, "Idempotency-Key", bad).want(t, 400)
	}
	// A day later the key is new.
	passed.Store(int64(replyAge + time.Hour))
	if late := read[RunView](t, b.do("POST", "/api/v1/runs", body, "Idempotency-Key", "k1").want(t, 202)).ID; late == id {
		t.Error("a key is remembered for more than a day")
	}
}

// TestLargeRepliesAreRepeated asks a question twice with one key: its reply is larger than
// what net/http sends at once.
func TestLargeRepliesAreRepeated(t *testing.T) {
	t.Parallel()
	l := laboratory(t, nil)
	body := `{"question":"` + asked + `","profile":"A"}`
	first := l.do("POST", "/api/v1/test/generate/text", body, "Idempotency-Key", "k").want(t, 200)
	if len(first.text) < 4<<10 {
		t.Fatalf("a reply of %d bytes shows nothing", len(first.text))
	}
	again := l.do("POST", "/api/v1/test/generate/text", body, "Idempotency-Key", "k").want(t, 200)
	if again.text != first.text || again.Header.Get("Idempotency-Replayed") != "true" {
		t.Errorf("%d bytes that differ from the first %d", len(again.text), len(first.text))
	}
	l.do("POST", "/api/v1/test/generate/text", body+" ", "Idempotency-Key", "k").want(t, 422)
	stream := l.do("POST", "/api/v1/query", `{"question":"`+asked+`"}`, "Idempotency-Key", "s").want(t, 200)
	if g := l.do("POST", "/api/v1/query", `{"question":"`+asked+`"}`, "Idempotency-Key", "s").want(t, 200); g.text != stream.text {
		t.Errorf("the stream is repeated as %s", g.text)
	}
}

// TestTwoServersAnswerAKeyOnce sends one key to two servers on one store while the first
// is at work, and again when it is done.
func TestTwoServersAnswerAKeyOnce(t *testing.T) {
	place := newPlace(t)
	var calls atomic.Int64
	begun, finish := make(chan struct{}), make(chan struct{})
	work := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		calls.Add(1)
		close(begun)
		<-finish
		_, _ = io.WriteString(w, "done")
	})
	one, two := &replies{store: opened(t, place), now: time.Now}, &replies{store: opened(t, place), now: time.Now}
	one.swept, two.swept = time.Now(), time.Now()
	ask := func(c *replies) *httptest.ResponseRecorder {
		w, r := httptest.NewRecorder(), httptest.NewRequest(http.MethodPost, "/work", strings.NewReader("{}"))
		r.Header.Set(idempotencyHeader, "k")
		c.serve(w, r, work)
		return w
	}
	ended := make(chan *httptest.ResponseRecorder)
	go func() { ended <- ask(one) }()
	<-begun
	if w := ask(two); w.Code != http.StatusConflict || w.Header().Get("Retry-After") == "" {
		t.Errorf("the other server meanwhile: %d %s: want 409", w.Code, w.Body)
	}
	close(finish)
	if w := <-ended; w.Body.String() != "done" {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	if w := ask(two); w.Body.String() != "done" || w.Header().Get("Idempotency-Replayed") != "true" || calls.Load() != 1 {
		t.Errorf("the other server afterwards: %d %s after %d calls", w.Code, w.Body, calls.Load())
	}
}
