package target

import (
	"context"
	"sync"
	"time"

	"github.com/assay-eval/assay/target/reply"
)

// An Exchange shows one call of a target to a person: what was sent, what came back,
// and how it was interpreted. Adapters fill it in as the call proceeds; watching does
// not change the call. It holds no secrets.
type Exchange struct {
	// Sent is the request in the form of its protocol, such as "POST http://…",
	// headers, an empty line and the body.
	Sent string
	// Received is the reply, cut if it is long.
	Received string
	// Shape names the detected shape of the reply; "" if the user's paths were used or
	// nothing was read.
	Shape string
	// Readings say where each part of the response was found.
	Readings []reply.Reading
	// Notes are further steps of the call, one per line, such as an answered sampling
	// request.
	Notes []string
	// Hints suggest settings that would extract more of the reply, such as a path to
	// set.
	Hints []string
}

// stopwatch returns a function that returns the time since now was called; 0 without a clock.
func stopwatch(now func() time.Time) (elapsed func() time.Duration) {
	if now == nil {
		return func() time.Duration { return 0 }
	}
	start := now()
	return func() time.Duration { return now().Sub(start) }
}

// A watch is an exchange that several goroutines may fill in.
type watch struct {
	mu sync.Mutex
	to *Exchange
}

type watchKey struct{}

// Watch returns a context under which one call of a target fills in the exchange. Read
// it after the call has returned.
func Watch(ctx context.Context) (context.Context, *Exchange) {
	x := new(Exchange)
	return context.WithValue(ctx, watchKey{}, &watch{to: x}), x
}

// show passes a step of the call to the watcher, if there is one.
func show(ctx context.Context, step func(*Exchange)) {
	w, ok := ctx.Value(watchKey{}).(*watch)
	if !ok {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	step(w.to)
}
