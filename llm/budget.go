package llm

import (
	"context"
	"fmt"
	"sync"

	"github.com/assay-eval/assay"
)

// A Budget limits the total cost of calls. Several clients may share one; it is safe
// for concurrent use. A nil *Budget has no limit.
//
// The maximum cost of a call is reserved before the call, and its actual cost is
// charged afterwards. The total stays within the limit as long as no call costs more
// than its estimate.
type Budget struct {
	limit int64

	mu       sync.Mutex
	spent    int64
	reserved int64
	// settled is closed, and replaced, whenever a reservation ends.
	settled chan struct{}
}

// NewBudget returns a budget of limit micro-dollars, of which spent has already been
// spent, by a run that is now resumed.
func NewBudget(limit, spent int64) *Budget {
	return &Budget{limit: limit, spent: spent, settled: make(chan struct{})}
}

// Spent returns the amount charged so far, in micro-dollars. It includes the estimate
// of every call that the provider may or may not have charged for, so it may exceed the
// sum of the ledger.
func (b *Budget) Spent() int64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.spent
}

// Raise sets the amount charged so far to that of all processes which share the limit, unless it
// is lower.
func (b *Budget) Raise(spent int64) {
	if b == nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.spent = max(b.spent, spent)
}

// reserve reserves amount. If amount would fit without the reservations of other calls,
// reserve waits for them to be settled, because most calls cost less than their
// estimate. The caller must end its reservation by one call of settle. If amount no
// longer fits, the error is an [Error] of [KindBudget].
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

// settle ends a reservation and charges the actual cost of the call.
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
