package llm

import (
	"context"
	"sync"
	"time"
)

// window is the time that a rate is counted over.
const window = time.Minute

// rate bounds requests and tokens in every window of a minute, not on average:
// providers count so. Waiting calls are served in order of arrival. A request is first
// weighed by its estimate, and by what it did use once that is known.
type rate struct {
	requests, tokens int // 0 is no bound
	now              func() time.Time
	sleep            func(context.Context, time.Duration) error

	// turn holds a token while no call waits at the head of the queue.
	turn chan struct{}

	mu   sync.Mutex
	sent []*sending // by time
	// changed is closed, and replaced, when a weight becomes smaller.
	changed chan struct{}
}

// A sending is one request of the last minute.
type sending struct {
	at     time.Time
	tokens int
}

func newRate(requests, tokens int, now func() time.Time, sleep func(context.Context, time.Duration) error) *rate {
	r := &rate{requests: requests, tokens: tokens, now: now, sleep: sleep, turn: make(chan struct{}, 1), changed: make(chan struct{})}
	r.turn <- struct{}{}
	return r
}

// wait returns when a request of so many tokens may be sent. One that is larger
// than the bound is sent when the minute before it was empty: it can never be
// sent otherwise, and the provider will say whether it takes it.
func (r *rate) wait(ctx context.Context, tokens int) (*sending, error) {
	if r.requests == 0 && r.tokens == 0 {
		return nil, nil
	}
	select {
	case <-r.turn:
		defer func() { r.turn <- struct{}{} }()
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	for {
		s, d, changed := r.try(tokens)
		if s != nil {
			return s, nil
		}
		if err := r.sleepUntil(ctx, d, changed); err != nil {
			return nil, err
		}
	}
}

// try sends, or says how long to wait.
func (r *rate) try(tokens int) (*sending, time.Duration, <-chan struct{}) {
	r.mu.Lock()
	defer r.mu.Unlock()
	now := r.now()
	for len(r.sent) > 0 && now.Sub(r.sent[0].at) >= window {
		r.sent = r.sent[1:]
	}
	used := 0
	for _, s := range r.sent {
		used += s.tokens
	}
	// The request fits once enough of the oldest have left the window.
	leave := 0
	for ; leave < len(r.sent); leave++ {
		fits := r.tokens == 0 || used+tokens <= r.tokens
		if fits && (r.requests == 0 || len(r.sent)-leave < r.requests) {
			break
		}
		used -= r.sent[leave].tokens
	}
	if leave > 0 {
		return nil, r.sent[leave-1].at.Add(window).Sub(now), r.changed
	}
	s := &sending{at: now, tokens: tokens}
	r.sent = append(r.sent, s)
	return s, 0, nil
}

// sleepUntil sleeps for d, or until changed is closed.
func (r *rate) sleepUntil(ctx context.Context, d time.Duration, changed <-chan struct{}) error {
	short, cancel := context.WithCancel(ctx)
	stop := make(chan struct{})
	var watching sync.WaitGroup
	watching.Go(func() {
		select {
		case <-changed:
			cancel()
		case <-stop:
		}
	})
	err := r.sleep(short, d)
	close(stop)
	watching.Wait()
	cancel()
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	select {
	case <-changed:
		return nil // woken, not cancelled
	default:
		return err
	}
}

// used replaces the estimate of a request by what it used.
func (r *rate) used(s *sending, tokens int) {
	if s == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	smaller := tokens < s.tokens
	s.tokens = tokens
	if smaller {
		close(r.changed)
		r.changed = make(chan struct{})
	}
}
