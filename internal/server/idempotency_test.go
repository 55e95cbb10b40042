package server

import (
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
