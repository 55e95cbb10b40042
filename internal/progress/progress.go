// Package progress tells those who wait for a piece of work how far it is.
package progress

import (
	"context"
	"sync"
)

// A Unit is what is counted.
type Unit int

// The units.
const (
	Cases Unit = iota
	Runs
)

// A Progress is how far a piece of work is. The methods of a nil one do nothing, so that work
// need not know whether anyone waits for it. It is safe for concurrent use.
type Progress struct {
	mu          sync.Mutex
	unit        Unit
	done, total int
}

// Start begins to count a number of things; what was counted before is forgotten.
func (p *Progress) Start(unit Unit, total int) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.unit, p.done, p.total = unit, 0, total
}

// Step counts one more. More than the total count as the total.
func (p *Progress) Step() {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done = min(p.done+1, p.total)
}

// At returns how many of how many are done. total is 0 if nothing is counted.
func (p *Progress) At() (unit Unit, done, total int) {
	if p == nil {
		return Cases, 0, 0
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.unit, p.done, p.total
}

type contextKey struct{}

// With returns a context whose work tells p how far it is. If p is nil, the work tells nobody.
func With(ctx context.Context, p *Progress) context.Context {
	return context.WithValue(ctx, contextKey{}, p)
}

// Of returns what the work of a context tells, nil if nobody waits for it.
func Of(ctx context.Context) *Progress {
	p, _ := ctx.Value(contextKey{}).(*Progress)
	return p
}
