// Package progress tells those who wait for a piece of work how far it is.
package progress

import (
	"context"
	"sync"
)

// A Progress is how many of the cases that a piece of work reads are read. The methods of a nil
// one do nothing, so that work need not know whether anyone waits for it. It is safe for
// concurrent use.
type Progress struct {
	mu          sync.Mutex
	done, total int
}

// Start begins to count a number of cases; what was counted before is forgotten.
func (p *Progress) Start(total int) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done, p.total = 0, total
}

// Add counts n more. More than the total count as the total.
func (p *Progress) Add(n int) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done = min(p.done+n, p.total)
}

// At returns how many of how many are read. total is 0 if nothing is counted.
func (p *Progress) At() (done, total int) {
	if p == nil {
		return 0, 0
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.done, p.total
}

type contextKey struct{}

// With returns a context whose work tells p how far it is.
func With(ctx context.Context, p *Progress) context.Context {
	return context.WithValue(ctx, contextKey{}, p)
}

// Of returns what the work of a context tells, nil if nobody waits for it.
func Of(ctx context.Context) *Progress {
	p, _ := ctx.Value(contextKey{}).(*Progress)
	return p
}
