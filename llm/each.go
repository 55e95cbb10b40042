package llm

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"golang.org/x/sync/errgroup"
)

// An Each is a [Provider] that answers several questions with one call and keeps each
// reply on its own.
type Each interface {
	// CompleteEach returns the replies to the messages of r, in their order. Each message
	// is a question of its own: its reply does not depend on the others.
	CompleteEach(ctx context.Context, r Request, divide Divide) ([]Reply, error)
}

// Divide divides the reply to a request into one for each of its messages. Their usage
// and cost should add up to those of the whole.
type Divide func(Request, Reply) ([]Reply, error)

// CompleteEach implements [Each]. Replies that the ledger has are taken from it; the
// messages that it lacks are sent in one call, equal ones once. Each reply is in the
// ledger under the key of a request with its message alone, so that the same question in
// other company is not paid for twice. The provider must answer a request with one
// message in the form that divide gives the reply to it.
//
// Unlike Complete, calls with several messages at the same time do not wait for each
// other: a question that two of them share is asked twice. Errors are those of Complete.
func (c *Client) CompleteEach(ctx context.Context, r Request, divide Divide) ([]Reply, error) {
	asked := make([]one, len(r.Messages))
	replies := map[string]Reply{}
	var missing []one
	for i := range r.Messages {
		q := one{request: r}
		q.request.Messages = r.Messages[i : i+1]
		var err error
		if q.key, q.text, err = Key(c.Name(), q.request); err != nil {
			return nil, c.unwritable(err, r)
		}
		asked[i] = q
		if _, ok := replies[q.key]; ok {
			continue
		}
		reply, ok, err := c.recall(ctx, q.key, q.text, q.request)
		if err != nil {
			return nil, err
		}
		replies[q.key] = reply
		if !ok {
			missing = append(missing, q)
		}
	}
	counted := "" // by Complete
	switch {
	case len(missing) == 1, len(missing) > 0 && c.cfg.Mode == Replay:
		// One question alone is merged with equal ones in flight.
		reply, err := c.Complete(ctx, missing[0].request)
		if err != nil {
			return nil, err
		}
		counted = missing[0].key
		replies[counted] = reply
	case len(missing) > 1:
		fresh, err := c.ask(ctx, r, missing, divide)
		if err != nil {
			return nil, err
		}
		for i, q := range missing {
			replies[q.key] = fresh[i]
		}
	}
	out := make([]Reply, len(asked))
	for i, q := range asked {
		out[i] = replies[q.key]
		if q.key != counted {
			countReply(ctx, &out[i])
		}
	}
	return out, nil
}

// one is a question of several: a request with one message, its key and the text that
// the key is the hash of.
type one struct {
	request Request
	key     string
	text    json.RawMessage
}

// ask sends questions in one call and keeps their replies.
func (c *Client) ask(ctx context.Context, r Request, questions []one, divide Divide) ([]Reply, error) {
	r.Messages = make([]Message, len(questions))
	for i, q := range questions {
		r.Messages[i] = q.request.Messages[0]
	}
	key, _, err := Key(c.Name(), r)
	if err != nil {
		return nil, c.unwritable(err, r)
	}
	var out []Reply
	_, err = c.persist(ctx, r, key, func(whole Reply, latency time.Duration) (Reply, error) {
		parts, err := divide(r, whole)
		if err == nil && len(parts) != len(questions) {
			err = fmt.Errorf("%d replies for %d messages", len(parts), len(questions))
		}
		if err != nil {
			var known *Error
			if errors.As(err, &known) {
				return Reply{}, known
			}
			return Reply{}, &Error{Kind: KindReply, Provider: c.Name(), Model: r.Model, Message: err.Error(), Err: err}
		}
		out = make([]Reply, len(questions))
		// A ledger commits together what is put there at the same time.
		var group errgroup.Group
		for i, q := range questions {
			group.Go(func() (err error) {
				out[i], err = c.keep(ctx, q.request, q.key, q.text, parts[i], latency/time.Duration(len(questions)))
				return err
			})
		}
		if err := group.Wait(); err != nil {
			return Reply{}, err
		}
		out[0].Warnings = whole.Warnings // the caller is told once
		return whole, nil
	})
	return out, err
}

func (c *Client) unwritable(err error, r Request) *Error {
	message := "the request cannot be written as JSON: " + err.Error()
	return &Error{Kind: KindRequest, Provider: c.Name(), Model: r.Model, Message: message, Err: err}
}
