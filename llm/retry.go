package llm

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"math/rand/v2"
	"net"
	"strings"
	"time"

	"github.com/assay-eval/assay"
)

// longest is the maximum wait between attempts, unless the server requests a longer
// one.
const longest = time.Minute

// A keeper stores a reply, which took so long, and returns it as a later run will read
// it.
type keeper func(reply Reply, latency time.Duration) (Reply, error)

// persist makes attempts until one returns a reply, which keep then stores, until an
// error is permanent, or until the retries are exhausted.
func (c *Client) persist(ctx context.Context, r Request, key string, keep keeper) (Reply, error) {
	// Each call has its own source of jitter, so the jitter does not depend on the
	// order of calls.
	h := fnv.New64a()
	h.Write([]byte(key))
	jitter := rand.New(rand.NewPCG(c.cfg.Seed, h.Sum64()))
	for made := 1; ; made++ {
		reply, err := c.attempt(ctx, r, keep)
		if err == nil {
			c.denials.replied(r.Model)
			return reply, nil
		}
		if ctx.Err() != nil {
			return Reply{}, context.Cause(ctx)
		}
		e := c.describe(err, r)
		e.Attempts = made
		if e.Kind == KindBudget {
			e.Attempts-- // the budget rejected it before it was made
			if caller := callerOf(ctx); caller != nil && caller.Denied != nil {
				caller.Denied(e)
			}
		}
		if e.Status != 0 && (e.Kind == KindAuth || e.Kind == KindModel) {
			e.Single = c.denials.single(r.Model, key)
		}
		e.Closed = e.Closed || errors.Is(err, ErrStopped)
		if !e.Temporary() {
			return Reply{}, e
		}
		if made > c.cfg.Retries {
			// An invalid reply shows that the server is up.
			if e.Kind != KindReply {
				if row, outage := c.slots.gaveUp(); outage {
					e.Closed = true
					e.Message += fmt.Sprintf("; the last %d calls all failed", row)
				}
			}
			return Reply{}, e
		}
		if e.After > c.cfg.MaxWait {
			e.Closed = true
			e.Message += fmt.Sprintf("; the server asks to wait %v, more than the limit of %v", e.After, c.cfg.MaxWait)
			return Reply{}, e
		}
		switch err := c.wait(ctx, pause(made, e.After, jitter)); {
		case err == nil:
		case ctx.Err() != nil:
			return Reply{}, context.Cause(ctx)
		default:
			e.Closed, e.Err = true, err
			return Reply{}, e
		}
	}
}

// wait waits for d. It returns early with the error of ctx or with ErrStopped.
func (c *Client) wait(ctx context.Context, d time.Duration) error {
	return c.stoppable(ctx, func(ctx context.Context) error { return c.cfg.Sleep(ctx, d) })
}

// stoppable calls a function that waits, whose context also ends when the user stops: with
// ErrStopped then.
func (c *Client) stoppable(ctx context.Context, waits func(context.Context) error) error {
	callers := stop(ctx)
	if c.cfg.Stop == nil && callers == nil {
		return waits(ctx)
	}
	sleepCtx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	go func() {
		select {
		case <-c.cfg.Stop:
		case <-callers:
		case <-sleepCtx.Done():
			return
		}
		cancel(ErrStopped)
	}()
	err := waits(sleepCtx)
	if err != nil && ctx.Err() == nil && errors.Is(context.Cause(sleepCtx), ErrStopped) {
		return ErrStopped
	}
	return err
}

// pause returns the time to wait after the failure of attempt n: 1, 2, 4, … seconds,
// plus or minus a quarter at random, because calls that failed together should not
// retry together. If the server requests a longer wait, the result is up to a tenth
// longer than requested, never shorter.
func pause(n int, after time.Duration, jitter *rand.Rand) time.Duration {
	u := jitter.Float64()
	d := min(longest, time.Second<<min(n-1, 6))
	d = time.Duration(float64(d) * (0.75 + u/2))
	if after > 0 {
		d = max(d, after+time.Duration(float64(after)*u/10))
	}
	return d
}

// attempt makes one call within all limits and stores its reply. It holds the slot
// until the reply is stored, so the number of paid replies not yet stored never exceeds
// the number of slots.
func (c *Client) attempt(ctx context.Context, r Request, keep keeper) (Reply, error) {
	select {
	case c.own <- struct{}{}:
		defer func() { <-c.own }()
	case <-ctx.Done():
		return Reply{}, context.Cause(ctx)
	}
	round, err := c.slots.acquire(ctx)
	if err != nil {
		return Reply{}, err
	}
	defer c.slots.release()
	if err := c.commonSlots.acquire(ctx); err != nil {
		return Reply{}, err
	}
	defer c.commonSlots.release()
	select {
	case <-stop(ctx):
		return Reply{}, ErrStopped
	default:
	}
	for {
		d := c.slots.held(c.cfg.Now())
		if d <= 0 {
			break
		}
		if err := c.wait(ctx, d); err != nil {
			return Reply{}, err
		}
	}

	var most int64
	if c.cfg.Budget != nil {
		if most, err = c.cfg.Prices.Most(c.Name(), r); err != nil {
			return Reply{}, err
		}
	}
	if err := c.cfg.Budget.reserve(ctx, most); err != nil {
		return Reply{}, err
	}
	var charge int64
	defer func() { c.cfg.Budget.settle(most, charge) }()

	weight := mostInput(r) + mostOutput(r)
	var sent *sending
	if err := c.stoppable(ctx, func(ctx context.Context) (err error) {
		sent, err = c.rate.wait(ctx, weight)
		return err
	}); err != nil {
		return Reply{}, err
	}
	// The ledger may have failed while this call waited.
	if err := c.keeps(); err != nil {
		return Reply{}, err
	}
	// Set before the call, because the provider may charge for a call that panics or is
	// canceled.
	charge = most
	reply, latency, err := c.call(ctx, r)
	if err != nil {
		e := c.describe(err, r)
		if !charged(e) {
			charge = 0
			// It counts as a request. Only its input tokens are known.
			c.rate.used(sent, mostInput(r))
		}
		if e.Kind == KindRate || e.Status == 503 || e.Status == 529 {
			var until time.Time
			if e.After <= c.cfg.MaxWait {
				until = c.cfg.Now().Add(e.After)
			}
			c.slots.overloaded(round, until)
		}
		return Reply{}, err
	}
	c.slots.succeeded()
	if reply.Usage != (Usage{}) {
		c.rate.used(sent, reply.Usage.Input+reply.Usage.Output)
	}
	c.price(&reply, r)
	if reply.Priced {
		charge = reply.Cost
	}
	return keep(reply, latency)
}

// call makes one call with a new nonce and a timeout.
func (c *Client) call(ctx context.Context, r Request) (Reply, time.Duration, error) {
	r, nonce, err := c.sign(r)
	if err != nil {
		return Reply{}, 0, err
	}
	if ctx.Err() != nil {
		return Reply{}, 0, context.Cause(ctx)
	}
	paid, release := outliving(ctx)
	defer release()
	limited, cancel := context.WithTimeout(paid, c.cfg.Timeout)
	defer cancel()
	begin := c.cfg.Now()
	reply, err := c.cfg.Provider.Complete(limited, r)
	latency := c.cfg.Now().Sub(begin)
	if err != nil {
		// After the timeout, the provider's error is only a consequence of it.
		if limited.Err() != nil && ctx.Err() == nil {
			err = &Error{Kind: KindTimeout, Message: fmt.Sprintf("no complete reply within %v", c.cfg.Timeout), Err: err}
		}
		return Reply{}, latency, err
	}
	reply.Nonce = nonce
	return reply, latency, nil
}

// outliving returns ctx, except that it goes on when ctx ends because a call beside this one
// failed or the user stops ([ErrStopped]): this one is paid for, and its reply can be kept. Call
// release when it is not needed.
func outliving(ctx context.Context) (_ context.Context, release func()) {
	out, cancel := context.WithCancelCause(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() {
		cause := context.Cause(ctx)
		if beside := (*Error)(nil); !errors.As(cause, &beside) && !errors.Is(cause, ErrStopped) {
			cancel(cause)
		}
	})
	return out, func() {
		stop()
		cancel(nil)
	}
}

// sign replaces every NonceMark with a new nonce.
func (c *Client) sign(r Request) (_ Request, nonce string, err error) {
	var messages []Message
	for i, m := range r.Messages {
		if !strings.Contains(m.Text, NonceMark) {
			continue
		}
		if nonce == "" {
			if nonce, err = c.nonce(); err != nil {
				return r, "", err
			}
			messages = append(messages, r.Messages...)
		}
		messages[i].Text = strings.ReplaceAll(m.Text, NonceMark, nonce)
	}
	if nonce != "" {
		r.Messages = messages
	}
	return r, nonce, nil
}

// nonce returns 16 random hexadecimal digits: too many to be guessed in a text that was
// written before the call, and few tokens.
func (c *Client) nonce() (string, error) {
	c.random.Lock()
	defer c.random.Unlock()
	var b [8]byte
	if _, err := io.ReadFull(c.cfg.Random, b[:]); err != nil {
		return "", &Error{Kind: KindRequest, Message: "no random numbers for a nonce", Err: err}
	}
	return hex.EncodeToString(b[:]), nil
}

// price sets the cost of a reply. If the provider reported no usage the cost is
// unknown, because zero tokens would mean zero cost, unless the model is free.
func (c *Client) price(reply *Reply, r Request) {
	if reply.Priced {
		return // the provider set the cost
	}
	if reply.Usage == (Usage{}) {
		price, ok := c.cfg.Prices.Lookup(c.Name(), r.Model)
		if reply.Priced = ok && price.Input == 0 && price.Output == 0; ok && !reply.Priced {
			c.warn(fmt.Sprintf("%s%s %s: a reply tells no tokens, so that its cost is not counted", assay.UnknownPrice, c.Name(), r.Model))
		}
		return
	}
	c.bill.Lock()
	defer c.bill.Unlock()
	reply.Cost, reply.Priced = c.cfg.Prices.Add(c.Name(), r.Model, reply.Usage, &c.ahead)
}

// charged reports whether the provider may have charged for a failed call. It has not
// if it rejected the request or was never reached.
func charged(e *Error) bool {
	var op *net.OpError
	var dns *net.DNSError
	switch e.Kind {
	case KindTimeout, KindReply, KindRefused:
		return true
	case KindNetwork:
		return !(errors.As(e.Err, &op) && op.Op == "dial" || errors.As(e.Err, &dns))
	}
	return false
}

// describe returns err as a new [Error] with the provider and the model set.
func (c *Client) describe(err error, r Request) *Error {
	var e Error
	var known *Error
	if errors.As(err, &known) {
		e = *known
	} else {
		// The provider violates its contract. Nothing indicates that the error is
		// permanent.
		e = Error{Kind: KindNetwork, Message: err.Error(), Err: err}
	}
	if e.Provider == "" {
		e.Provider = c.Name()
	}
	if e.Model == "" {
		e.Model = r.Model
	}
	return &e
}
