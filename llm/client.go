package llm

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/backoff"
	modelreply "github.com/assay-eval/assay/target/reply"
)

// Mode says how a client uses the ledger.
type Mode string

// The modes of a client.
const (
	// Normal takes stored replies from the ledger and calls the provider for the rest.
	Normal Mode = ""
	// Replay takes every reply from the ledger. If one is missing, the call fails with
	// [KindReplay].
	Replay Mode = "replay"
	// Refresh repeats the calls of earlier runs; replies to calls of this run are taken
	// from the ledger.
	Refresh Mode = "refresh"
)

// ClientConfig configures a [Client]. Provider, Now and Random are required.
type ClientConfig struct {
	// Provider makes the calls.
	Provider Provider
	// Address is where the provider asks, see [Located]: a kept reply of another address answers a replay alone. "" means
	// that of Provider, if it has one; without one, any reply answers.
	Address string
	// Ledger stores the calls; if nil, none is stored and every request is sent.
	Ledger Ledger
	// Claims keeps the other users of the ledger from sending a request at the same time; nil means
	// those of Limits that processes share, if they are shared, or none.
	Claims Claimer
	// Run is the id of the run that pays for the calls. A resumed run keeps its id.
	Run  string
	Mode Mode
	// Prices contains the prices of models; nil contains none.
	Prices *Prices
	// Budget limits the total cost of the calls of all clients that share it; nil means
	// no limit. With a budget, a model whose price is unknown is an error.
	Budget *Budget

	// Concurrency is the maximum number of calls in flight; a value below 1 means 10.
	// The client makes fewer while the provider is overloaded.
	Concurrency int
	// Limits are shared with the other clients of the process under the name Shared,
	// which identifies the provider and its account; nil shares nothing. This client's
	// own Concurrency holds besides.
	Limits *Limits
	Shared string
	// RequestsPerMinute and TokensPerMinute are the provider's limits in any period of
	// one minute; 0 means no limit. Tokens are input and output tokens together.
	RequestsPerMinute, TokensPerMinute int
	// Retries is the maximum number of retries after a temporary error; 0 means 4, and
	// a negative value means none.
	Retries int
	// Timeout limits one attempt; 0 means 2 minutes.
	Timeout time.Duration
	// MaxWait limits the wait that a server may request (Retry-After); 0 means 2
	// minutes. If a server requests a longer one, the call fails at once and is not
	// retried.
	MaxWait time.Duration

	// Stop, when closed, ends the waits between attempts and for the limits per minute: a
	// waiting call fails with [ErrStopped]. Attempts in flight may finish. A nil Stop never stops.
	Stop <-chan struct{}
	// Now returns the current time.
	Now func() time.Time
	// Sleep waits for d, or until ctx is done and then returns its error; nil uses a
	// timer.
	Sleep func(ctx context.Context, d time.Duration) error
	// Random is the source of nonces; it must be unpredictable to the authors of the
	// judged text.
	Random io.Reader
	// Seed seeds the jitter of the waits. No reply depends on it.
	Seed uint64
	// Warn receives warnings that belong to no error; nil discards them. It may be
	// called concurrently.
	Warn func(warning string)
}

// A Client is a [Provider] that wraps another: it stores every call, does not repeat a
// stored call, enforces rate limits and a budget, and retries temporary errors. It is
// safe for concurrent use and leaves no goroutine running after a call.
//
// A request passes through these layers, from the outermost to the innermost:
//
//  1. key.go: the request becomes a key, the SHA-256 of all that its reply
//     depends on.
//  2. flight.go: of identical requests at the same time one goes on; the others
//     wait for its reply. This is outside of the ledger, because a request
//     could otherwise miss a reply that was being put there.
//  3. client.go: a reply in the ledger is returned. In [Replay] mode every
//     other request fails here. If another user of the ledger waits for
//     the same reply (Claims), this one waits for it too.
//  4. retry.go: attempts, with longer and longer waits between them, each of
//     them through the layers below.
//  5. adaptive.go: a slot, of which there are fewer while the provider is
//     overloaded, and one of those that processes share (common_slots.go).
//     It comes before the next two so that only calls that can start now
//     reserve money and count as sent.
//  6. budget.go: the most that the attempt may cost (price.go, tokens.go) is
//     set aside.
//  7. limit.go, common_rate.go: requests and tokens a minute.
//  8. A fresh nonce, a time limit, and the call itself.
//
// On the way back the cost of the reply is computed, and the reply is durable in the
// ledger before it is returned.
//
// No layer sends an idempotency key. Each attempt has its own nonce and is therefore a
// different request, and Go's HTTP transport takes the header as permission to repeat a
// request, which could then be charged twice.
type Client struct {
	cfg     ClientConfig
	flights flights
	*limits
	// own has a place for each call of this client that may be in flight.
	own    chan struct{}
	random sync.Mutex
	// rejected has, by its key, the run that could not use a reply.
	rejected sync.Map
	denials  denials
	// lost is the last reply that was paid for and could not be kept.
	lost atomic.Pointer[loss]
	// ahead is how far the sum of the costs is rounded up: see [Prices.Add].
	bill  sync.Mutex
	ahead int64
}

// A loss is the failure to keep a reply.
type loss struct {
	err *Error
	at  time.Time
}

// lossPause is how long no call is paid for after the ledger failed to keep a reply. It ends the
// calls of a run, and lets a server continue once its disk has room.
const lossPause = 10 * time.Second

// keeps returns an error shortly after the ledger failed to keep a reply.
func (c *Client) keeps() error {
	if l := c.lost.Load(); l != nil && c.cfg.Now().Sub(l.at) < lossPause {
		return l.err
	}
	return nil
}

// ErrStopped is wrapped by the error of a call that was abandoned because the user
// stopped the run.
var ErrStopped = errors.New("stopped")

// NewClient returns a client after checking cfg. It makes no call.
func NewClient(cfg ClientConfig) (*Client, error) {
	switch {
	case cfg.Provider == nil, cfg.Now == nil, cfg.Random == nil:
		return nil, errors.New("llm client: needs a provider, a clock and a source of random bits")
	case cfg.Mode != Normal && cfg.Mode != Replay && cfg.Mode != Refresh:
		return nil, fmt.Errorf("llm client: mode %q: expected %q, %q or %q", cfg.Mode, Normal, Replay, Refresh)
	case cfg.Mode == Replay && cfg.Ledger == nil:
		return nil, errors.New("llm client: replay: needs a ledger to take replies from")
	case cfg.Mode == Refresh && cfg.Run == "":
		return nil, errors.New("llm client: refresh: needs the id of a run, which tells its own calls from earlier ones")
	case cfg.RequestsPerMinute < 0 || cfg.TokensPerMinute < 0:
		return nil, fmt.Errorf("llm client: %d requests and %d tokens a minute: expected numbers from 1, or 0 for no limit",
			cfg.RequestsPerMinute, cfg.TokensPerMinute)
	}
	if cfg.Concurrency < 1 {
		cfg.Concurrency = 10
	}
	if cfg.Sleep == nil {
		cfg.Sleep = backoff.Sleep
	}
	cfg.Retries = max(0, cmp.Or(cfg.Retries, 4))
	cfg.Timeout = cmp.Or(max(0, cfg.Timeout), 2*time.Minute)
	cfg.MaxWait = cmp.Or(max(0, cfg.MaxWait), 2*time.Minute)
	if common := cfg.Limits.common(); cfg.Claims == nil && common != nil {
		cfg.Claims = common
	}
	if at, ok := cfg.Provider.(Located); ok && cfg.Address == "" {
		cfg.Address = at.Address()
	}
	return &Client{cfg: cfg, limits: cfg.Limits.find(cfg.Shared, &cfg), own: make(chan struct{}, cfg.Concurrency)}, nil
}

// Name returns the name of the wrapped provider.
func (c *Client) Name() string { return c.cfg.Provider.Name() }

// Complete returns the reply to a request, from the ledger or from the provider. A
// reply from the provider is in the ledger when Complete returns it, even if ctx ended
// meanwhile, because it was paid for. Reply.Cached is set if another run stored the
// reply. With [Refresh] a reply that was altered in the ledger is asked for again; it is
// an error otherwise. A reply in the ledger that was marked as unusable (see [Reject]) is asked for
// again.
//
// The error is an *[Error] or the cause of ctx's cancellation.
func (c *Client) Complete(ctx context.Context, r Request) (Reply, error) {
	key, text, err := Key(c.Name(), r)
	if err != nil {
		return Reply{}, c.unwritable(err, r)
	}
	flight := key
	if c.refreshes(ctx) {
		flight += " refreshed" // a kept reply is of no use to this caller
	}
	reply, err := c.flights.do(ctx, flight, func() (Reply, error) {
		return c.answer(ctx, r, key, text)
	})
	if err == nil {
		if doubt := modelreply.Doubt(reply.Stop); doubt != "" {
			reply.Warnings = append(slices.Clip(reply.Warnings), r.Model+": a reply "+doubt)
		}
		countReply(ctx, &reply)
	}
	return reply, err
}

// answer returns the reply in the ledger, or one that it asks for. text is the text that key is
// the hash of.
func (c *Client) answer(ctx context.Context, r Request, key string, text json.RawMessage) (Reply, error) {
	reply, ok, err := c.recall(ctx, key, text, r)
	if err != nil || ok {
		return reply, err
	}
	if c.cfg.Mode == Replay {
		return Reply{}, &Error{Kind: KindReplay, Provider: c.Name(), Model: r.Model, Message: fmt.Sprintf(
			"the ledger has no reply for operation %q (key %s): import the ledger of a run that made the call, "+
				"or run without replay", r.Operation, key)}
	}
	keep := func(reply Reply, latency time.Duration) (Reply, error) {
		return c.keep(ctx, r, key, text, reply, latency)
	}
	persist := func() (Reply, error) {
		reply, err := c.persist(ctx, r, key, keep)
		var e *Error
		if errors.As(err, &e) && !e.Fatal() && c.cfg.Ledger != nil {
			c.keepFailure(ctx, r, key, text, e)
		}
		return reply, err
	}
	if c.cfg.Claims == nil || c.cfg.Ledger == nil {
		return persist()
	}
	for pause := firstLook; ; pause = min(2*pause, longestLook) {
		mine, err := c.cfg.Claims.Claim(ctx, key)
		if err != nil {
			return Reply{}, c.broken("the claims of requests cannot be reached", err, r)
		}
		if mine {
			defer c.cfg.Claims.Unclaim(key)
		} else if err := c.wait(ctx, pause); err != nil {
			if ctx.Err() != nil {
				return Reply{}, context.Cause(ctx)
			}
			e := c.describe(err, r)
			e.Closed = true
			return Reply{}, e
		}
		// Another may have put the reply there meanwhile.
		if reply, ok, err = c.recall(ctx, key, text, r); err != nil || ok {
			return reply, err
		}
		if mine {
			return persist()
		}
	}
}

// The pauses between looks for the reply that another waits for grow from firstLook to
// longestLook.
const (
	firstLook   = 100 * time.Millisecond
	longestLook = 2 * time.Second
)

// find returns the call in the ledger that answers a request, with ok, or one with the key and the text to keep its reply
// under. text is the text that key is the hash of.
func (c *Client) find(ctx context.Context, key string, text json.RawMessage) (call assay.Call, ok bool, err error) {
	empty := assay.Call{Key: key, Request: text}
	if c.cfg.Ledger == nil {
		return empty, false, nil
	}
	call, ok, err = c.cfg.Ledger.Call(ctx, key)
	if err != nil || !ok {
		return empty, false, err
	}
	if reply, err := readReply(call); err != nil || c.cfg.Address == "" || reply.Server == "" || reply.Server == c.cfg.Address {
		return call, true, nil
	}
	if empty.Key, empty.Request, err = atServer(text, c.cfg.Address); err != nil {
		return empty, false, err
	}
	own, there, err := c.cfg.Ledger.Call(ctx, empty.Key)
	switch {
	case err != nil:
		return empty, false, err
	case there:
		return own, true, nil
	case c.cfg.Mode == Replay:
		return call, true, nil
	}
	return empty, false, nil
}

// recall looks up the reply in the ledger.
func (c *Client) recall(ctx context.Context, key string, text json.RawMessage, r Request) (Reply, bool, error) {
	call, ok, err := c.find(ctx, key, text)
	if err != nil {
		if ctx.Err() != nil {
			return Reply{}, false, context.Cause(ctx)
		}
		if c.refreshes(ctx) && errors.Is(err, assay.ErrAltered) {
			return Reply{}, false, nil
		}
		return Reply{}, false, c.broken("the ledger cannot be read", err, r)
	}
	if !ok || c.refreshes(ctx) && call.Run != c.run(ctx) {
		return Reply{}, false, nil
	}
	reply, err := readReply(call)
	if err != nil {
		c.warn(fmt.Sprintf("the ledger's reply of key %s cannot be read and counts as absent: %v", key, err))
		return Reply{}, false, nil
	}
	if f := reply.Failed; f != nil {
		if c.cfg.Mode != Replay {
			return Reply{}, false, nil
		}
		return Reply{}, false, &Error{
			Kind: f.Kind, Status: f.Status, Single: true, Provider: c.Name(), Model: r.Model, Message: reply.Unusable,
		}
	}
	if by, _ := c.rejected.Load(call.Key); reply.Unusable != "" && by != c.run(ctx) && c.cfg.Mode != Replay {
		return Reply{}, false, nil
	}
	reply.Cached, reply.Recalled = call.Run != c.run(ctx), true
	return reply, true, nil
}

// readReply decodes the reply of a ledger entry.
func readReply(call assay.Call) (Reply, error) {
	var reply Reply
	if trimmed := bytes.TrimSpace(call.Reply); len(trimmed) == 0 || trimmed[0] != '{' {
		return reply, fmt.Errorf("expected a JSON object")
	}
	if err := json.Unmarshal(call.Reply, &reply); err != nil {
		return Reply{}, err
	}
	reply.Latency, reply.Key = call.Latency, call.Key
	return reply, nil
}

// keep stores a reply in the ledger and returns it as a later run will read it.
func (c *Client) keep(
	ctx context.Context, r Request, key string, request json.RawMessage, reply Reply, latency time.Duration,
) (Reply, error) {
	reply.Server = c.cfg.Address
	text, err := json.Marshal(reply)
	if err != nil {
		return Reply{}, c.broken("the reply cannot be written as JSON", err, r)
	}
	at, _, _ := c.find(context.WithoutCancel(ctx), key, request) // of a ledger that cannot be read, PutCall says why
	call := assay.Call{
		Key: at.Key, Run: c.run(ctx), Operation: r.Operation, Provider: c.Name(), Model: r.Model,
		Request: at.Request, Reply: text, Usage: reply.Total(), Latency: latency, Made: c.cfg.Now().UTC(),
	}
	if c.cfg.Ledger != nil {
		if err := c.cfg.Ledger.PutCall(context.WithoutCancel(ctx), call); err != nil {
			c.lost.Store(&loss{c.broken("the reply cannot be kept", err, r), c.cfg.Now()})
			return Reply{}, c.lost.Load().err
		}
	}
	paid(ctx, call.Usage.Cost)
	// Encoding changes text that is not UTF-8. A repeated run must judge the same text
	// as this one.
	kept, err := readReply(call)
	if err != nil {
		return Reply{}, c.broken("the reply cannot be read back", err, r)
	}
	kept.Warnings = reply.Warnings
	return kept, nil
}

// keepFailure stores that a request failed for good, unless the ledger has a reply to it.
func (c *Client) keepFailure(ctx context.Context, r Request, key string, request json.RawMessage, e *Error) {
	if _, there, err := c.find(context.WithoutCancel(ctx), key, request); err == nil && !there {
		failed := Reply{Unusable: strings.ToValidUTF8(e.Message, "\ufffd"), Failed: &Failure{e.Kind, e.Status}}
		_, _ = c.keep(ctx, r, key, request, failed, 0) // keep remembers why it cannot
	}
}

func (c *Client) broken(what string, err error, r Request) *Error {
	return &Error{Kind: KindLedger, Provider: c.Name(), Model: r.Model, Message: what + ": " + err.Error(), Err: err}
}

func (c *Client) warn(warning string) {
	if c.cfg.Warn != nil {
		c.cfg.Warn(warning)
	}
}
