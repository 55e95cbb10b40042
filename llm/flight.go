package llm

import (
	"context"
	"errors"
	"sync"
)

// flights merges identical calls that are in flight at the same time into one.
type flights struct {
	mu  sync.Mutex
	now map[string]*flight
}

type flight struct {
	done  chan struct{}
	reply Reply
	err   error
}

// do calls f, or waits for the result if a call with the same key is in flight. If that
// call was canceled, or failed with a temporary error, the first waiting caller calls f
// itself: a caller that gives up early must not fail the others.
func (fs *flights) do(ctx context.Context, key string, f func() (Reply, error)) (Reply, error) {
	for {
		fs.mu.Lock()
		other, ok := fs.now[key]
		if !ok {
			mine := &flight{done: make(chan struct{}), err: errAbandoned}
			if fs.now == nil {
				fs.now = map[string]*flight{}
			}
			fs.now[key] = mine
			fs.mu.Unlock()
			return fs.lead(key, mine, f)
		}
		fs.mu.Unlock()
		select {
		case <-other.done:
			if other.err == nil || final(other.err) {
				return other.reply, other.err
			}
		case <-ctx.Done():
			return Reply{}, context.Cause(ctx)
		}
	}
}

// errAbandoned is the result of a call that panicked.
var errAbandoned = errors.New("the call was abandoned")

func (fs *flights) lead(key string, mine *flight, f func() (Reply, error)) (Reply, error) {
	defer func() {
		fs.mu.Lock()
		delete(fs.now, key)
		fs.mu.Unlock()
		close(mine.done)
	}()
	mine.reply, mine.err = f()
	return mine.reply, mine.err
}

// final reports whether the same call would fail again.
func final(err error) bool {
	var e *Error
	return errors.As(err, &e) && !e.Temporary()
}
