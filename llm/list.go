package llm

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"golang.org/x/sync/errgroup"
)

// A List asks a provider about items that do not depend on each other, such as texts to
// embed, several in a call. Each message of a request is an item, and the reply to a
// request is a JSON list with an entry for each. A [Client] keeps the entry of each item on
// its own, so that none is paid for twice in whatever company it comes. It is safe for
// concurrent use.
type List struct {
	client Provider
	base   Request
	batch  *Batch
	name   func(item string) string
}

// listsAtOnce is the number of calls that one Ask has in flight; the client may allow fewer.
const listsAtOnce = 8

// NewList returns one that asks client, which implements [Each], with requests like base, of
// at most batch items. name names an item in messages.
func NewList(client Provider, base Request, batch int, name func(item string) string) *List {
	return &List{client: client, base: base, batch: NewBatch(batch), name: name}
}

// Most is the most items of a call.
func (l *List) Most() int { return l.batch.Most() }

// Model is the model that is asked.
func (l *List) Model() string { return l.base.Model }

// Client is the provider that is asked.
func (l *List) Client() Provider { return l.client }

// Ask calls take with the replies to items from number first on, in parts, possibly
// concurrently; the text of a reply is a list with the one entry of its item. An empty item
// is sent as a space, because servers refuse it. A call that the server refuses is halved
// until it accepts, or until the one item that it refuses stands alone; later calls are no
// larger than what it accepted.
//
// Errors are an *[Error], that of take, or that of ctx. Replies of which take returns an error
// of [KindReply] are marked as unusable (see [Reject]).
func (l *List) Ask(ctx context.Context, items []string, take func(first int, replies []Reply) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	size := l.batch.Most()
	group, within := errgroup.WithContext(ctx)
	group.SetLimit(listsAtOnce)
	for first := 0; first < len(items); first += size {
		last := min(first+size, len(items))
		group.Go(func() error {
			return l.batch.Do(first, last, func(first, last int) error {
				replies, err := l.call(within, items[first:last])
				if err != nil {
					return err
				}
				err = take(first, replies)
				if !IsKind(err, KindReply) {
					return err
				}
				reason := err.Error()
				for i := first; i < last; i++ {
					err = errors.Join(err, Reject(context.WithoutCancel(ctx), l.client, l.request(items[i:i+1]), reason))
				}
				return err
			})
		})
	}
	err := group.Wait()
	if err != nil && ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

// call asks about items in one call.
func (l *List) call(ctx context.Context, items []string) ([]Reply, error) {
	each, ok := l.client.(Each)
	if !ok {
		return nil, l.Fail(KindRequest, "the client cannot keep the entries of a list one by one")
	}
	replies, err := each.CompleteEach(ctx, l.request(items), divideList)
	var e *Error
	if len(items) == 1 && Refused(err) && errors.As(err, &e) {
		// The same error may be why calls beside this one were cancelled.
		named := *e
		named.Message += "; " + l.name(items[0])
		return nil, &named
	}
	return replies, err
}

// request is that of items.
func (l *List) request(items []string) Request {
	r := l.base
	r.Messages = make([]Message, len(items))
	for i, item := range items {
		r.Messages[i] = Message{Role: "user", Text: cmp.Or(item, " ")}
	}
	return r
}

// Fail returns an error of the provider.
func (l *List) Fail(k Kind, message string) error {
	return &Error{Kind: k, Provider: l.client.Name(), Model: l.base.Model, Message: message}
}

// ReadOne reads the one entry of a reply that [List.Ask] gave.
func ReadOne[T any](r Reply) (T, error) {
	var list []T
	err := json.Unmarshal([]byte(r.Text), &list)
	if err == nil && len(list) != 1 {
		err = fmt.Errorf("%d entries: expected one", len(list))
	}
	if err != nil {
		var none T
		return none, err
	}
	return list[0], nil
}

// divideList divides the reply to several items. The tokens and the cost of each are its part
// of the whole by the estimated length of its text.
func divideList(r Request, whole Reply) ([]Reply, error) {
	var all []json.RawMessage
	if err := json.Unmarshal([]byte(whole.Text), &all); err != nil {
		return nil, err
	}
	if len(all) != len(r.Messages) {
		return nil, fmt.Errorf("%d entries for %d items: expected one for each", len(all), len(r.Messages))
	}
	weights, sum := make([]int64, len(all)), int64(0)
	for i, m := range r.Messages {
		weights[i] = int64(EstimateTokens(m.Text)) + 1
		sum += weights[i]
	}
	out := make([]Reply, len(all))
	before := int64(0)
	// The part of the first items together is rounded, so that the parts add up.
	part := func(total, until int64) int64 { return int64(float64(total) * float64(until) / float64(sum)) }
	for i, one := range all {
		after := before + weights[i]
		out[i] = whole
		out[i].Text = "[" + string(one) + "]"
		out[i].Usage = Usage{Input: int(part(int64(whole.Usage.Input), after) - part(int64(whole.Usage.Input), before))}
		out[i].Cost = part(whole.Cost, after) - part(whole.Cost, before)
		before = after
	}
	return out, nil
}
