package llm

import (
	"context"
	"sync"
	"time"
)

// commonRate limits requests and tokens a minute for several processes together. It sends what
// it was granted and claims again when that is used up or has lapsed. Waiting calls are served in
// order of arrival.
type commonRate struct {
	common           Common
	account          string
	requests, tokens int // 0 means no limit
	now              func() time.Time
	sleep            func(context.Context, time.Duration) error

	// turn holds a token while no call waits at the head of the queue.
	turn chan struct{}

	mu sync.Mutex
	// left remains of the last grant and may be used before until.
	left  Quantity
	block int64
	until time.Time
	// back was granted and not used, by block.
	back map[int64]Quantity
}

const (
	// rateBlocks is the number of blocks in a minute of a limit that is used up.
	rateBlocks = 30
	// longestRateWait is the longest wait before a claim is repeated: others give back what
	// they did not use.
	longestRateWait = 2 * time.Second
)

func newCommonRate(c Common, name string, cfg *ClientConfig) *commonRate {
	r := &commonRate{
		common: c, account: name, requests: cfg.RequestsPerMinute, tokens: cfg.TokensPerMinute, now: cfg.Now, sleep: cfg.Sleep,
		turn: make(chan struct{}, 1), back: map[int64]Quantity{},
	}
	r.turn <- struct{}{}
	return r
}

// wait implements [pacer].
func (r *commonRate) wait(ctx context.Context, tokens int) (*sending, error) {
	if r.requests == 0 && r.tokens == 0 {
		return nil, nil
	}
	select {
	case <-r.turn:
		defer func() { r.turn <- struct{}{} }()
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	var need Quantity
	if r.requests > 0 {
		need.Requests = 1
	}
	if r.tokens > 0 {
		// More than the limit could never be sent otherwise; the provider decides.
		need.Tokens = min(tokens, r.tokens)
	}
	for {
		if s := r.take(need); s != nil {
			return s, nil
		}
		after, err := r.claim(ctx, need)
		if err != nil {
			return nil, err
		}
		if after > 0 {
			if err := r.sleep(ctx, min(after, longestRateWait)); err != nil {
				return nil, err
			}
		}
	}
}

// take takes what a request needs from the grant; nil if there is not enough.
func (r *commonRate) take(need Quantity) *sending {
	r.mu.Lock()
	defer r.mu.Unlock()
	now := r.now()
	if !now.Before(r.until) || r.left.Requests < need.Requests || r.left.Tokens < need.Tokens {
		return nil
	}
	r.left.Requests -= need.Requests
	r.left.Tokens -= need.Tokens
	return &sending{at: now, tokens: need.Tokens, block: r.block}
}

// claim replaces the grant, or returns after what time to claim again.
func (r *commonRate) claim(ctx context.Context, need Quantity) (after time.Duration, err error) {
	r.mu.Lock()
	if r.left != (Quantity{}) {
		r.giveBack(r.block, r.left)
		r.left = Quantity{}
	}
	c := RateClaim{Account: r.account, Requests: r.requests, Tokens: r.tokens, Need: need, Back: r.back, Want: Quantity{
		max(need.Requests, r.requests/rateBlocks), max(need.Tokens, r.tokens/rateBlocks),
	}}
	r.back = map[int64]Quantity{}
	began := r.now()
	r.mu.Unlock()
	g, err := r.common.Rate(ctx, c)
	if err != nil {
		// What is not given back counts as used, and lapses after a minute.
		return 0, &Error{Kind: KindLedger, Message: "the limits of rate that workers share cannot be reached: " + err.Error(), Err: err}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.left, r.block, r.until = g.Quantity, g.Block, began.Add(g.For)
	return g.After, nil
}

// giveBack notes what was granted and not used. The caller holds the lock.
func (r *commonRate) giveBack(block int64, q Quantity) {
	sum := r.back[block]
	r.back[block] = Quantity{sum.Requests + q.Requests, sum.Tokens + q.Tokens}
}

// used implements [pacer].
func (r *commonRate) used(s *sending, tokens int) {
	if s == nil || r.tokens == 0 {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	// Below 0 if the request took more than was estimated.
	if tokens != s.tokens {
		r.giveBack(s.block, Quantity{Tokens: s.tokens - tokens})
	}
}
