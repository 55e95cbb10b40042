package llm

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/backoff"
)

// Mode says what the ledger is used for.
type Mode string

// The modes of a client.
const (
	// Normal takes from the ledger what is there, and asks for the rest.
	Normal Mode = ""
	// Replay takes everything from the ledger. A call that it lacks is an
	// error of [KindReplay].
	Replay Mode = "replay"
	// Refresh asks again for what earlier runs paid for; what this run has
	// asked itself is taken from the ledger.
	Refresh Mode = "refresh"
)

// ClientConfig says how a [Client] asks. Provider, Now and Random are required.
type ClientConfig struct {
	// Provider makes the calls.
	Provider Provider
	// Ledger keeps them; nil keeps none, and then every question is asked.
	Ledger Ledger
	// Run is the id of the run that pays. A run that is resumed keeps its id.
	Run  string
	Mode Mode
	// Prices say what calls cost; nil knows no price.
	Prices *Prices
	// Budget bounds what calls cost, those of all clients that share it; nil
	// is no bound. With a budget, a model whose price is unknown is refused.
	Budget *Budget

	// Concurrency is the most calls in flight; below 1 it is 10. The client
	// makes fewer while the provider is overloaded.
	Concurrency int
	// RequestsPerMinute and TokensPerMinute are the provider's limits, in any
	// minute; 0 is none. Tokens are those of input and output together.
	RequestsPerMinute, TokensPerMinute int
	// Retries is how often a call that failed is repeated, when that may
	// help; 0 is 4, and below 0 is never.
	Retries int
	// Timeout bounds one attempt; 0 is 2 min.
	Timeout time.Duration
	// MaxWait bounds the wait that a server may ask for (Retry-After); 0 is
	// 2 min. When it asks for more the call fails at once, for good.
	MaxWait time.Duration

	// Stop, when closed, lets the calls in flight end and ends the waits
	// between attempts: such a call fails for good, with [ErrStopped]. nil
	// never stops.
	Stop <-chan struct{}
	// Now tells the time.
	Now func() time.Time
	// Sleep waits for d or until ctx is done, and then returns ctx's error;
	// nil uses a timer.
	Sleep func(ctx context.Context, d time.Duration) error
	// Random gives the bits of nonces; it must be unpredictable to those who
	// wrote what is judged.
	Random io.Reader
	// Seed drives the jitter of waits. No reply depends on it.
	Seed uint64
	// Warn is told what the user should know and no error says; nil drops it.
	// It may be called concurrently.
	Warn func(warning string)
}

// A Client is a [Provider] around another that keeps every call, asks nothing
// twice, stays within limits and budget, and tries again what may succeed. It
// is safe for concurrent use and has no goroutine that outlives a call.
//
// A request passes these layers, from the outside to the inside:
//
//  1. key.go: the request becomes a key, the SHA-256 of all that its reply
//     depends on.
//  2. flight.go: of identical requests at the same time one goes on; the others
//     wait for its reply. This is outside of the ledger, because a request
//     could otherwise miss a reply that was being put there.
//  3. client.go: a reply in the ledger is returned. In [Replay] mode every
//     other request fails here.
//  4. retry.go: attempts, with longer and longer waits between them, each of
//     them through the layers below.
//  5. adaptive.go: a slot, of which there are fewer while the provider is
//     overloaded. It comes before the next two so that only calls that can
//     start now reserve money and count as sent.
//  6. budget.go: the most that the attempt may cost (price.go, tokens.go) is
//     set aside.
//  7. limit.go: requests and tokens a minute.
//  8. A fresh nonce, a time limit, and the call itself.
//
// On the way back the reply gets its cost, and is durable in the ledger before
// it is returned.
//
// No layer sends an idempotency key. Each attempt has its own nonce and is thus
// another request, and Go's HTTP transport would take the header as permission to
// repeat a request, which could be paid twice.
type Client struct {
	cfg     ClientConfig
	flights flights
	slots   *slots
	rate    *rate
	random  sync.Mutex
}

// ErrStopped is in the error of a call that was abandoned because the user stopped
// the run.
var ErrStopped = errors.New("stopped")

// NewClient returns a client. It makes no call.
func NewClient(cfg ClientConfig) (*Client, error) {
	switch {
	case cfg.Provider == nil, cfg.Now == nil, cfg.Random == nil:
		return nil, errors.New("llm client: want a provider, a clock and a source of random bits")
	case cfg.Mode != Normal && cfg.Mode != Replay && cfg.Mode != Refresh:
		return nil, fmt.Errorf("llm client: mode %q: want %q, %q or %q", cfg.Mode, Normal, Replay, Refresh)
	case cfg.Mode == Replay && cfg.Ledger == nil:
		return nil, errors.New("llm client: replay: want a ledger to take replies from")
	case cfg.Mode == Refresh && cfg.Run == "":
		return nil, errors.New("llm client: refresh: want the id of a run, which tells its own calls from earlier ones")
	case cfg.RequestsPerMinute < 0 || cfg.TokensPerMinute < 0:
		return nil, fmt.Errorf("llm client: %d requests and %d tokens a minute: want numbers from 1, or 0 for no limit",
			cfg.RequestsPerMinute, cfg.TokensPerMinute)
	}
	if cfg.Concurrency < 1 {
		cfg.Concurrency = 10
	}
	if cfg.Sleep == nil {
		cfg.Sleep = backoff.Sleep
	}
	return &Client{
		cfg:   cfg,
		slots: newSlots(cfg.Concurrency),
		rate:  newRate(cfg.RequestsPerMinute, cfg.TokensPerMinute, cfg.Now, cfg.Sleep),
	}, nil
}

func (c *Client) retries() int {
	if c.cfg.Retries == 0 {
		return 4
	}
	return max(0, c.cfg.Retries)
}

func (c *Client) timeout() time.Duration { return positive(c.cfg.Timeout) }
func (c *Client) maxWait() time.Duration { return positive(c.cfg.MaxWait) }

func positive(d time.Duration) time.Duration {
	if d <= 0 {
		return 2 * time.Minute
	}
	return d
}

// Name is the provider's.
func (c *Client) Name() string { return c.cfg.Provider.Name() }

// Complete returns the reply to a request, from the ledger or from the
// provider. A reply that the provider was asked for is in the ledger when
// Complete returns it, also when ctx has ended meanwhile: it was paid for.
// Reply.Cached is set when the ledger has it from another run.
//
// An error is an *[Error], or the cause of ctx's end.
func (c *Client) Complete(ctx context.Context, r Request) (Reply, error) {
	key, text, err := Key(c.Name(), r)
	if err != nil {
		message := "the request cannot be written as JSON: " + err.Error()
		return Reply{}, &Error{Kind: KindRequest, Provider: c.Name(), Model: r.Model, Message: message, Err: err}
	}
	return c.flights.do(ctx, key, func() (Reply, error) {
		reply, ok, err := c.recall(ctx, key, r)
		if err != nil || ok {
			return reply, err
		}
		if c.cfg.Mode == Replay {
			return Reply{}, &Error{Kind: KindReplay, Provider: c.Name(), Model: r.Model, Message: fmt.Sprintf(
				"the ledger has no reply for operation %q (key %s): import the ledger of a run that made the call, "+
					"or run without replay", r.Operation, key)}
		}
		return c.persist(ctx, r, key, text)
	})
}

// recall finds a reply in the ledger.
func (c *Client) recall(ctx context.Context, key string, r Request) (Reply, bool, error) {
	if c.cfg.Ledger == nil {
		return Reply{}, false, nil
	}
	call, ok, err := c.cfg.Ledger.Call(ctx, key)
	if err != nil {
		if ctx.Err() != nil {
			return Reply{}, false, context.Cause(ctx)
		}
		return Reply{}, false, c.broken("the ledger cannot be read", err, r)
	}
	if !ok || c.cfg.Mode == Refresh && call.Run != c.cfg.Run {
		return Reply{}, false, nil
	}
	reply, err := readReply(call)
	if err != nil {
		c.warn(fmt.Sprintf("the ledger's reply of key %s cannot be read and counts as absent: %v", key, err))
		return Reply{}, false, nil
	}
	reply.Cached = call.Run != c.cfg.Run
	return reply, true, nil
}

// readReply reads the reply of a ledger entry.
func readReply(call assay.Call) (Reply, error) {
	var reply Reply
	if trimmed := bytes.TrimSpace(call.Reply); len(trimmed) == 0 || trimmed[0] != '{' {
		return reply, fmt.Errorf("want a JSON object")
	}
	if err := json.Unmarshal(call.Reply, &reply); err != nil {
		return Reply{}, err
	}
	reply.Latency = call.Latency
	return reply, nil
}

// keep puts a reply into the ledger and returns it as a later run will see it.
func (c *Client) keep(
	ctx context.Context, r Request, key string, request json.RawMessage, reply Reply, latency time.Duration,
) (Reply, error) {
	text, err := json.Marshal(reply)
	if err != nil {
		return Reply{}, c.broken("the reply cannot be written as JSON", err, r)
	}
	call := assay.Call{
		Key: key, Run: c.cfg.Run, Operation: r.Operation, Provider: c.Name(), Model: r.Model,
		Request: request, Reply: text, Usage: reply.Total(), Latency: latency, Made: c.cfg.Now().UTC(),
	}
	if c.cfg.Ledger != nil {
		if err := c.cfg.Ledger.PutCall(context.WithoutCancel(ctx), call); err != nil {
			return Reply{}, c.broken("the reply cannot be kept", err, r)
		}
	}
	// Text that is not UTF-8 was changed by writing it: what is judged now
	// must be what is judged when the run is repeated.
	kept, err := readReply(call)
	if err != nil {
		return Reply{}, c.broken("the reply cannot be read back", err, r)
	}
	kept.Warnings = reply.Warnings
	return kept, nil
}

func (c *Client) broken(what string, err error, r Request) *Error {
	return &Error{Kind: KindLedger, Provider: c.Name(), Model: r.Model, Message: what + ": " + err.Error(), Err: err}
}

func (c *Client) warn(warning string) {
	if c.cfg.Warn != nil {
		c.cfg.Warn(warning)
	}
}
