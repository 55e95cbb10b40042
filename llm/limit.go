package llm

import (
	"context"
	"sync"
	"time"
)

// window is the period of the rate limits.
const window = time.Minute

// rate limits requests and tokens in every window of a minute, not on average, because
// providers count this way. Waiting calls are served in order of arrival. A request
// counts with its estimated tokens, and with its actual tokens once they are known.
type rate struct {
	requests, tokens int // 0 means no limit
	now              func() time.Time
	sleep            func(context.Context, time.Duration) error

	// turn holds a token while no call waits at the head of the queue.
	turn chan struct{}

	mu   sync.Mutex
	sent []*sending // by time
	// changed is closed, and replaced, when the tokens of a request are corrected
	// downwards.
	changed chan struct{}
}

// A sending is one request of the last minute.
type sending struct {
	at     time.Time
	tokens int
	// block is the grant that it is part of, if processes share the limits.
	block int64
}

func newRate(requests, tokens int, now func() time.Time, sleep func(context.Context, time.Duration) error) *rate {
	r := &rate{requests: requests, tokens: tokens, now: now, sleep: sleep, turn: make(chan struct{}, 1), changed: make(chan struct{})}
	r.turn <- struct{}{}
	return r
}

// wait implements [pacer]. A request over the limit is sent after a minute without requests: it could never be sent otherwise, and the
// provider decides whether to accept it.
func (r *rate) wait(ctx context.Context, tokens int) (*sending, error) {
	if r.requests == 0 && r.tokens == 0 {
		return nil, nil
	}
	select {
	case <-r.turn:
	default: // what need not wait is sent even as the context ends
		select {
		case <-r.turn:
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
	defer func() { r.turn <- struct{}{} }()
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

// try records the request as sent, or returns how long to wait.
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
	// The request fits once enough of the oldest requests have left the window.
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

// used implements [pacer].
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
