package llm

import (
	"context"
	"encoding/json"
	"fmt"
)

// A Rejecter keeps replies and can be told that one is of no use.
type Rejecter interface {
	// Reject marks the stored reply to a request as unusable, for a reason.
	Reject(ctx context.Context, r Request, reason string) error
}

// Reject tells a provider that its reply to a request could not be used, so that it is
// not final: the next run asks again. A provider that keeps nothing is not told.
func Reject(ctx context.Context, p Provider, r Request, reason string) error {
	if k, ok := p.(Rejecter); ok {
		return k.Reject(ctx, r, reason)
	}
	return nil
}

// Reject marks the reply in the ledger. This client still returns it to the run that rejected it,
// so that the same request within a run has one reply. Another run, or client, asks the provider
// again, and the ledger sets the marked reply aside (see [Ledger]). A replay marks nothing and
// returns marked replies too.
func (c *Client) Reject(ctx context.Context, r Request, reason string) error {
	if c.cfg.Ledger == nil || c.cfg.Mode == Replay {
		return nil
	}
	key, text, err := Key(c.Name(), r)
	if err != nil {
		return fmt.Errorf("marking an unusable reply: %w", err)
	}
	call, ok, err := c.find(ctx, key, text)
	c.rejected.Store(call.Key, c.run(ctx))
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
