package llm

import (
	"context"
	"time"
)

// A Common grants the processes that share limits their parts of them, in blocks, so that most
// calls need no grant of their own. It is safe for concurrent use. Its methods wait while the
// limits cannot be reached; an error ends the call that needs the grant.
//
// Grants are leased: those of a process that ends go back after a while. What a process was granted
// and does not use goes back within seconds, because others may wait for it while it waits for them.
type Common interface {
	// Valid reports whether what was granted to this process is still its own. If not, others
	// may have it, and only what is in flight counts as granted.
	Valid() bool
	// Money grants a part of what the calls of a run may cost.
	Money(ctx context.Context, c MoneyClaim) (MoneyGrant, error)
	// Slots grants calls in flight to a provider.
	Slots(ctx context.Context, c SlotClaim) (SlotGrant, error)
	// Rate grants requests and tokens of a provider.
	Rate(ctx context.Context, c RateClaim) (RateGrant, error)
	// Claimer keeps the processes from sending a request twice.
	Claimer
	// Often calls f about once a second until end is called, which waits for a call in progress.
	// f gives back what is not used.
	Often(f func(context.Context)) (end func())
}

// A Claimer keeps others that use the same ledger from sending a request that one of them waits for.
type Claimer interface {
	// Claim claims the request with a key, so that no other process sends it at the same time,
	// and reports whether it has it now. Unclaim ends the claim; it may do so later.
	Claim(ctx context.Context, key string) (bool, error)
	Unclaim(key string)
}

// A MoneyClaim asks for a part of a budget. Amounts are micro-dollars.
type MoneyClaim struct {
	// Run is the id of the run that has the budget, Limit its size.
	Run   string
	Limit int64
	// Spent is what this process has paid since its last claim, Left what was granted to it
	// before and remains.
	Spent, Left int64
	// Need is the least that is of use, Want the most; both are 0 to give back what is not left.
	Need, Want int64
}

// A MoneyGrant is the reply to a [MoneyClaim].
type MoneyGrant struct {
	// Granted is between Need and Want, or 0 if others have what is not spent.
	Granted int64
	// Spent is what all processes have paid for the run.
	Spent int64
}

// A SlotClaim asks for calls in flight.
type SlotClaim struct {
	// Account identifies the provider and its account, Limit is its number of calls in flight.
	Account string
	Limit   int
	// Busy is the number of calls of this process in flight, Want the number of those that it
	// could have in flight.
	Busy, Want int
}

// A SlotGrant is the reply to a [SlotClaim].
type SlotGrant struct {
	// Granted is how many may be in flight. It can be below the number of those that are: then
	// none may begin until enough have ended.
	Granted int
	// Short is set if the processes want more than there is.
	Short bool
}

// A RateClaim asks for requests and tokens that may be sent soon.
type RateClaim struct {
	// Account identifies the provider and its account.
	Account string
	// Requests and Tokens are the limits of a minute; 0 means no limit.
	Requests, Tokens int
	// Need is what one request needs, and is within the limits; Want is the most.
	Need, Want Quantity
	// Back are parts of earlier grants that were not used, by the Block of the grant.
	Back map[int64]Quantity
}

// A Quantity is an amount of requests and of tokens.
type Quantity struct{ Requests, Tokens int }

// A RateGrant is the reply to a [RateClaim].
type RateGrant struct {
	Quantity
	// For is how long, from before the claim, the grant may be used.
	For time.Duration
	// Block identifies the grant in [RateClaim.Back].
	Block int64
	// After is when to claim again if nothing was granted.
	After time.Duration
}
