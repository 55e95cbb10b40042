package llm

import (
	"context"
	"fmt"
	"sync"
	"time"

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
	// common has the budget if several processes spend it, under the name run; else it is nil.
	common Common
	run    string
	end    func()

	mu       sync.Mutex
	spent    int64
	reserved int64
	// granted is how much may be spent before the next claim: the limit of a budget that is not
	// shared. unclaimed is what was spent since the last claim.
	granted, unclaimed int64
	// claiming is set while a call claims more for all.
	claiming bool
	// settled is closed, and replaced, whenever a reservation or a claim ends.
	settled chan struct{}
}

// NewBudget returns a budget of limit micro-dollars, of which spent has already been
// spent, by a run that is now resumed.
func NewBudget(limit, spent int64) *Budget {
	return &Budget{limit: limit, spent: spent, granted: limit, settled: make(chan struct{})}
}

// NewSharedBudget returns a budget of limit micro-dollars that several processes spend on a run.
// It must be closed.
func NewSharedBudget(limit int64, run string, c Common) *Budget {
	b := &Budget{limit: limit, common: c, run: run, settled: make(chan struct{})}
	b.end = c.Often(func(ctx context.Context) {
		// A call that needs money sees the error.
		_ = b.rest(ctx)
	})
	return b
}

// Close gives back what was not spent of a shared budget. No call may be in flight.
func (b *Budget) Close(ctx context.Context) error {
	if b == nil || b.common == nil {
		return nil
	}
	b.end()
	return b.rest(ctx)
}

// Spent returns the amount charged so far, in micro-dollars. It includes the estimate
// of every call that the provider may or may not have charged for, so it may exceed the
// sum of the ledger.
func (b *Budget) Spent() int64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.spent
}

// Left returns how much of the limit is not spent, in micro-dollars; limited is false of nil.
func (b *Budget) Left() (micro int64, limited bool) {
	if b == nil {
		return 0, false
	}
	return b.limit - b.Spent(), true
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
		b.lapse()
		switch {
		case b.spent+b.reserved+amount <= b.granted:
			b.reserved += amount
			b.mu.Unlock()
			return nil
		case b.spent+amount > b.limit:
			err := &Error{Kind: KindBudget, Message: fmt.Sprintf(
				"the budget of %s does not cover the next call: %s is spent, and the call may cost %s: a higher limit lets it go on",
				assay.Dollars(b.limit), assay.Dollars(b.spent), assay.Dollars(amount))}
			b.mu.Unlock()
			return err
		}
		if err := b.more(ctx, amount); err != nil {
			return err
		}
	}
}

// more waits until a reservation of amount can be tried again, and claims more for it if the
// budget is shared. The caller holds the lock, which more releases.
func (b *Budget) more(ctx context.Context, amount int64) error {
	settled := b.settled
	if b.common == nil || b.claiming {
		b.mu.Unlock()
		select {
		case <-settled:
			return nil
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	b.claiming = true
	b.mu.Unlock()
	defer func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.claiming = false
		b.wake()
	}()
	enough, err := b.claim(ctx, amount, blockOfCalls*amount)
	if err != nil || enough {
		return err
	}
	// Others have what is left, and give back what they do not need. Nobody claims meanwhile.
	return await(ctx, settled, betweenClaims)
}

const (
	// blockOfCalls is the number of calls that a claim asks money for.
	blockOfCalls = 16
	// betweenClaims is the pause before a claim is repeated that was granted nothing.
	betweenClaims = 500 * time.Millisecond
)

// claim claims money for a call, or gives back what no call has reserved if need is 0. It reports
// whether the claim, or a look at what all have spent, answered the call.
func (b *Budget) claim(ctx context.Context, need, want int64) (answered bool, err error) {
	b.mu.Lock()
	c := MoneyClaim{Run: b.run, Limit: b.limit, Spent: b.unclaimed, Left: b.granted - b.spent, Need: need, Want: want}
	if b.reserved == 0 {
		// Otherwise two processes could each wait for what the other has and cannot use.
		b.granted, c.Left = b.spent, 0
	}
	b.unclaimed = 0
	b.mu.Unlock()
	g, err := b.common.Money(ctx, c)
	b.mu.Lock()
	defer b.mu.Unlock()
	if err != nil {
		b.unclaimed += c.Spent
		return false, &Error{Kind: KindLedger, Message: "the budget that workers share cannot be reached: " + err.Error(), Err: err}
	}
	// Others spend too: the amounts move up together.
	others := g.Spent + b.unclaimed - b.spent
	b.spent += others
	b.granted += others + g.Granted
	return g.Granted > 0 || b.spent+need > b.limit, nil
}

// lapse forgets what is no longer granted. The caller holds the lock.
func (b *Budget) lapse() {
	if b.common != nil && !b.common.Valid() {
		b.granted = min(b.granted, b.spent+b.reserved)
	}
}

// rest gives back what was granted if no call has reserved any of it.
func (b *Budget) rest(ctx context.Context) error {
	b.mu.Lock()
	idle := b.reserved == 0 && !b.claiming && (b.granted > b.spent || b.unclaimed > 0)
	b.claiming = b.claiming || idle
	b.mu.Unlock()
	if !idle {
		return nil
	}
	_, err := b.claim(ctx, 0, 0)
	b.mu.Lock()
	defer b.mu.Unlock()
	b.claiming = false
	b.wake()
	return err
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
	b.unclaimed += cost
	b.wake()
}

// wake has the waiting calls look again. The caller holds the lock.
func (b *Budget) wake() {
	close(b.settled)
	b.settled = make(chan struct{})
}
