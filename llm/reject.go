package llm

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/assay-eval/assay"
)

// A Rejecter keeps replies and can be told that one is of no use.
type Rejecter interface {
	// Reject marks the stored reply to a request as unusable, for a reason.
	Reject(ctx context.Context, r Request, reason string) error
}

// Reject tells a provider that its reply to a request could not be used, so that it is
// not final: the next process asks again. A provider that keeps nothing is not told.
func Reject(ctx context.Context, p Provider, r Request, reason string) error {
	if k, ok := p.(Rejecter); ok {
		return k.Reject(ctx, r, reason)
	}
	return nil
}

// Reject marks the reply in the ledger. This client still returns it, so that the same
// request within a run has one reply; another client asks the provider again and sets
// the marked reply aside under a key of its own, where it remains for an audit. A replay
// marks nothing and returns marked replies too.
func (c *Client) Reject(ctx context.Context, r Request, reason string) error {
	if c.cfg.Ledger == nil || c.cfg.Mode == Replay {
		return nil
	}
	key, _, err := Key(c.Name(), r)
	if err != nil {
		return fmt.Errorf("marking an unusable reply: %w", err)
	}
	c.rejected.Store(key, true)
	call, ok, err := c.cfg.Ledger.Call(ctx, key)
	if err != nil || !ok {
		return err
	}
	reply, err := readReply(call)
	if err != nil || reply.Unusable != "" {
		return err
	}
	reply.Unusable = reason
	if call.Reply, err = json.Marshal(reply); err != nil {
		return fmt.Errorf("marking an unusable reply: %w", err)
	}
	return c.cfg.Ledger.PutCall(ctx, call)
}

// setAside stores the unusable reply that a new one with the key replaces.
func (c *Client) setAside(ctx context.Context, key string) error {
	old, ok := c.replaced.LoadAndDelete(key)
	if !ok {
		return nil
	}
	call := old.(assay.Call)
	// With the time in it the request has a key of its own, which no request to come has.
	var request map[string]any
	dec := json.NewDecoder(bytes.NewReader(call.Request))
	dec.UseNumber()
	if err := dec.Decode(&request); err != nil {
		return fmt.Errorf("setting an unusable reply aside: %w", err)
	}
	request["unusable"] = call.Made.Format(time.RFC3339Nano)
	text, err := json.Marshal(request)
	if err != nil {
		return fmt.Errorf("setting an unusable reply aside: %w", err)
	}
	if call.Request, err = canonical(text); err != nil {
		return fmt.Errorf("setting an unusable reply aside: %w", err)
	}
	call.Key = digest(call.Request)
	return c.cfg.Ledger.PutCall(ctx, call)
}
