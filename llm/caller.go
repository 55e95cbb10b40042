package llm

import (
	"context"
	"sync"
	"sync/atomic"
)

// A Caller is who asks a client that many share, such as that of a server. It counts its
// replies.
type Caller struct {
	// Run pays for the calls, in place of ClientConfig.Run.
	Run string
	// Refresh asks again for what other runs have asked, as the mode [Refresh] does; it has
	// no effect on a replay.
	Refresh bool
	// Stop, when closed, keeps further requests of the caller from being sent and ends its
	// waits: what the ledger cannot answer fails with [ErrStopped]. Attempts in flight
	// finish, and their replies are in the ledger. A nil Stop never stops.
	Stop <-chan struct{}
	// Paid is told what each new reply cost, in micro-dollars, once the reply is in the
	// ledger; nil is told nothing. It may be called concurrently.
	Paid func(cost int64)
	// Denied is told why a call was not made: the budget does not cover it; nil is told
	// nothing. It may be called concurrently.
	Denied func(error)

	replies, cached atomic.Int64
}

type callerKey struct{}

// WithCaller returns a context whose requests are those of a caller.
func WithCaller(ctx context.Context, c *Caller) context.Context {
	return context.WithValue(ctx, callerKey{}, c)
}

// Replies returns the number of replies that the caller got so far, and how many of them
// were kept replies to requests of other runs.
func (c *Caller) Replies() (all, cached int) { return int(c.replies.Load()), int(c.cached.Load()) }

// callerOf returns the caller of a context; nil if it has none.
func callerOf(ctx context.Context) *Caller {
	c, _ := ctx.Value(callerKey{}).(*Caller)
	return c
}

// run returns the run that pays for the calls of a context.
func (c *Client) run(ctx context.Context) string {
	if caller := callerOf(ctx); caller != nil {
		return caller.Run
	}
	return c.cfg.Run
}

// refreshes reports whether what other runs have asked is asked again.
func (c *Client) refreshes(ctx context.Context) bool {
	caller := callerOf(ctx)
	return c.cfg.Mode == Refresh || c.cfg.Mode == Normal && caller != nil && caller.Refresh
}

type onceKey struct{}

// CountOnce returns a context in which each paid reply counts once: a reply that a retry takes from
// the ledger has no usage and no cost.
func CountOnce(ctx context.Context) context.Context {
	return context.WithValue(ctx, onceKey{}, new(sync.Map))
}

// countReply counts a reply for the caller of a context, and its usage once.
func countReply(ctx context.Context, r *Reply) {
	if seen, _ := ctx.Value(onceKey{}).(*sync.Map); seen != nil {
		if _, again := seen.Swap(r.Key, true); again && r.Recalled {
			r.Usage, r.Cost = Usage{}, 0
		}
	}
	caller := callerOf(ctx)
	if caller == nil {
		return
	}
	caller.replies.Add(1)
	if r.Cached {
		caller.cached.Add(1)
	}
}

// stop returns the channel that stops the caller of a context; nil if nothing does.
func stop(ctx context.Context) <-chan struct{} {
	if caller := callerOf(ctx); caller != nil {
		return caller.Stop
	}
	return nil
}

// paid tells the caller of a context what a reply cost.
func paid(ctx context.Context, cost int64) {
	if caller := callerOf(ctx); caller != nil && caller.Paid != nil {
		caller.Paid(cost)
	}
}
