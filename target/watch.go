package target

import (
	"context"
	"sync"

	"github.com/assay-eval/assay/target/reply"
)

// An Exchange shows one call of a target to a person: what was sent, what came
// back, and how it was read. Adapters fill it in as far as they get; the call
// itself is the same whether or not somebody watches. It holds no secrets.
type Exchange struct {
	// Sent is the request as it went out, in the form of its protocol, such as
	// "POST http://…", headers, an empty line and the body.
	Sent string
	// Received is the reply as it came in, cut where it is long.
	Received string
	// Shape names the known shape that the reply was read as; "" when it was
	// read by the paths that the user gave, or not at all.
	Shape string
	// Readings say where each part of the response was found.
	Readings []reply.Reading
	// Notes are further steps of the call, such as a sampling request that was
	// answered, one a line.
	Notes []string
	// Hints say what would make more of the reply, such as a path to set.
	Hints []string
}

// A watch is an exchange that several goroutines may fill in.
type watch struct {
	mu sync.Mutex
	to *Exchange
}

type watchKey struct{}

// Watch returns a context under which one call of a target fills in the
// exchange. It may be read when the call has returned.
func Watch(ctx context.Context) (context.Context, *Exchange) {
	x := new(Exchange)
	return context.WithValue(ctx, watchKey{}, &watch{to: x}), x
}

// show lets a watcher, if there is one, see a step of the call.
func show(ctx context.Context, step func(*Exchange)) {
	w, ok := ctx.Value(watchKey{}).(*watch)
	if !ok {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	step(w.to)
}
