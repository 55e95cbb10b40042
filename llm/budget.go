package llm

import (
	"context"
	"fmt"
	"sync"

	"github.com/assay-eval/assay"
)

// A Budget bounds what calls may cost. Several clients may share one; it is
// safe for concurrent use. A nil *Budget has no bound.
//
// Before a call the most that it may cost is reserved, and after it what it did
// cost is charged, so that what is spent stays within the limit as long as no
// call costs more than its estimate.
type Budget struct {
	limit int64

	mu       sync.Mutex
	spent    int64
	reserved int64
	// settled is closed, and replaced, whenever a reservation ends.
	settled chan struct{}
}

// NewBudget returns a budget of limit micro-dollars, of which spent is gone
// already: what a run that is resumed has paid for before.
func NewBudget(limit, spent int64) *Budget {
	return &Budget{limit: limit, spent: spent, settled: make(chan struct{})}
}

// Spent is what was charged so far, in micro-dollars. It includes the estimate
// of every call of which it is unknown whether the provider charged for it, so
// it may exceed the sum of the ledger.
func (b *Budget) Spent() int64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.spent
}

// reserve sets amount aside. While reservations of other calls are what it
// lacks, it waits for them to end: most calls cost less than their estimate.
// Only the caller may end its reservation, by one call of settle. When amount
// cannot fit any more the error is an [Error] of [KindBudget].
func (b *Budget) reserve(ctx context.Context, amount int64) error {
	if b == nil {
		return nil
	}
	for {
		b.mu.Lock()
		switch {
		case b.spent+b.reserved+amount <= b.limit:
			b.reserved += amount
			b.mu.Unlock()
			return nil
		case b.spent+amount > b.limit:
			err := &Error{Kind: KindBudget, Message: fmt.Sprintf(
				"the budget of %s does not cover the next call: %s is spent, and the call may cost %s: raise the limit and resume",
				assay.Dollars(b.limit), assay.Dollars(b.spent), assay.Dollars(amount))}
			b.mu.Unlock()
			return err
		}
		settled := b.settled
		b.mu.Unlock()
		select {
		case <-settled:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// settle ends a reservation and charges what the call did cost.
func (b *Budget) settle(reserved, cost int64) {
	if b == nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.reserved -= reserved
	b.spent += cost
	close(b.settled)
	b.settled = make(chan struct{})
}
