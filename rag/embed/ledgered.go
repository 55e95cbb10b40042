package embed

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/llm"
)

// Operation is what calls for vectors are named in the ledger.
const Operation = "embed"

// Provider makes a source a provider of package llm, whose client then gives it limits,
// retries and the ledger. Each message of a request is a text, and the reply is a JSON
// list with an object for each; see [Ledgered].
func Provider(name string, s Source) llm.Provider { return provider{name, s} }

type provider struct {
	name string
	s    Source
}

// Name is what users call the provider.
func (p provider) Name() string { return p.name }

// Complete embeds the messages.
func (p provider) Complete(ctx context.Context, r llm.Request) (llm.Reply, error) {
	texts := make([]string, len(r.Messages))
	for i, m := range r.Messages {
		texts[i] = m.Text
	}
	b, err := p.s.Vectors(ctx, texts)
	if err != nil {
		return llm.Reply{}, err
	}
	vectors, scaled, err := units(texts, b.Vectors)
	if err != nil {
		return llm.Reply{}, &llm.Error{Kind: llm.KindReply, Provider: p.name, Model: r.Model, Message: err.Error(), Attempts: 1}
	}
	out := make([]kept, len(texts))
	for i, v := range vectors {
		out[i] = kept{Vector: packed(v), Scaled: scaled[i], Cut: b.Cut}
	}
	text, err := json.Marshal(out)
	if err != nil {
		return llm.Reply{}, err // texts and booleans cannot fail
	}
	return llm.Reply{Text: string(text), Model: r.Model, Stop: "end", Usage: llm.Usage{Input: b.Tokens}}, nil
}

// kept is a vector as the ledger keeps it.
type kept struct {
	// Vector is the base64 of little-endian float32, of length 1.
	Vector string `json:"vector"`
	// Scaled is set if the server sent another length, Cut if it may have read the
	// beginning of the text alone.
	Scaled bool `json:"scaled,omitempty"`
	Cut    bool `json:"cut,omitempty"`
}

// divide divides the reply to several texts. The tokens and the cost of each are its part
// of the whole by the estimated length of its text.
func divide(r llm.Request, whole llm.Reply) ([]llm.Reply, error) {
	var all []json.RawMessage
	if err := json.Unmarshal([]byte(whole.Text), &all); err != nil {
		return nil, err
	}
	if len(all) != len(r.Messages) {
		return nil, fmt.Errorf("%d vectors for %d texts: want one for each", len(all), len(r.Messages))
	}
	weights, sum := make([]int64, len(all)), int64(0)
	for i, m := range r.Messages {
		weights[i] = int64(llm.EstimateTokens(m.Text)) + 1
		sum += weights[i]
	}
	out := make([]llm.Reply, len(all))
	before := int64(0)
	// The part of the first texts together is rounded, so that the parts add up.
	part := func(total, until int64) int64 { return int64(float64(total) * float64(until) / float64(sum)) }
	for i, one := range all {
		after := before + weights[i]
		out[i] = whole
		out[i].Text = "[" + string(one) + "]"
		out[i].Usage = llm.Usage{Input: int(part(int64(whole.Usage.Input), after) - part(int64(whole.Usage.Input), before))}
		out[i].Cost = part(whole.Cost, after) - part(whole.Cost, before)
		before = after
	}
	return out, nil
}

// atOnce is the number of calls that one Embed has in flight; the client may allow fewer.
const atOnce = 8

// Ledgered is an embedder that asks through a client of package llm, so that each text is
// embedded once: another run asks for nothing, and one that was cut off for the rest. It
// is safe for concurrent use.
type Ledgered struct {
	// client is one around what [Provider] gave.
	client   llm.Provider
	request  llm.Request
	identity string
	batch    *llm.Batch

	mu sync.Mutex
	// dimensions is 0 before the first vector.
	dimensions int
	scaled     bool
	// cut has the keys of the texts that may have been cut.
	cut map[string]bool
}

// NewLedgered returns an embedder that asks client, which implements [llm.Each] and is
// around what [Provider] gave, for the vectors of a model, at most batch texts in a call.
// identity is that of [Identity].
func NewLedgered(client llm.Provider, model, identity string, batch int) *Ledgered {
	return &Ledgered{client: client, identity: identity, batch: llm.NewBatch(batch), cut: map[string]bool{}, request: llm.Request{
		// The system prompt is not sent: it is what the key depends on besides.
		Operation: Operation, Model: model, System: "embed " + identity, MaxTokens: 1,
	}}
}

var _ assay.Embedder = (*Ledgered)(nil)

// Fresh returns an embedder that asks the same client and knows nothing of the vectors so
// far.
func (l *Ledgered) Fresh() *Ledgered {
	return NewLedgered(l.client, l.request.Model, l.identity, l.batch.Most())
}

// Identity implements [assay.Embedder]. It is known before the dimensions are; that these
// do not change is checked with every vector.
func (l *Ledgered) Identity() string { return l.identity }

// Dimensions is 0 before the first vector.
func (l *Ledgered) Dimensions() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.dimensions
}

// Form describes the vectors so far, for the header of a run: how many numbers they have,
// and whether their length was that of the server; "" before the first.
func (l *Ledgered) Form() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case l.dimensions == 0:
		return ""
	case l.scaled:
		return fmt.Sprintf("%d dimensions scaled to length 1", l.dimensions)
	}
	return fmt.Sprintf("%d dimensions of length 1", l.dimensions)
}

// Cut is the number of texts so far that may be longer than the model reads: those of the
// calls in which the server cut one or more. Vectors are then those of their beginning.
func (l *Ledgered) Cut() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.cut)
}

// Embed takes vectors from the ledger, and asks for the others in batches. A batch that
// the server refuses is halved until it accepts, or until the one text that it refuses
// stands alone; later batches are no larger than what it accepted. An empty text is sent
// as a space, because servers refuse it.
//
// Errors are an *[llm.Error], or that of ctx. They include vectors that are not finite,
// zero, of other dimensions than those before, or not one for each text.
func (l *Ledgered) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	out := make([][]float32, len(texts))
	size := l.batch.Most()
	group, within := errgroup.WithContext(ctx)
	group.SetLimit(atOnce)
	for first := 0; first < len(texts); first += size {
		last := min(first+size, len(texts))
		group.Go(func() error {
			return l.batch.Do(first, last, func(first, last int) error { return l.call(within, texts[first:last], out[first:last]) })
		})
	}
	if err := group.Wait(); err != nil {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		return nil, err
	}
	return out, nil
}

// call embeds texts in one call.
func (l *Ledgered) call(ctx context.Context, texts []string, out [][]float32) error {
	r := l.request
	r.Messages = make([]llm.Message, len(texts))
	for i, t := range texts {
		if t == "" {
			t = " "
		}
		r.Messages[i] = llm.Message{Role: "user", Text: t}
	}
	each, ok := l.client.(llm.Each)
	if !ok {
		return l.fail(llm.KindRequest, "the client cannot keep vectors one by one")
	}
	replies, err := each.CompleteEach(ctx, r, divide)
	if err == nil {
		return l.read(texts, replies, out)
	}
	var e *llm.Error
	if len(texts) == 1 && llm.Refused(err) && errors.As(err, &e) {
		// The same error may be why calls beside this one were cancelled.
		named := *e
		named.Message += "; the text is " + beginning(texts[0])
		return &named
	}
	return err
}

// read reads the vectors of replies.
func (l *Ledgered) read(texts []string, replies []llm.Reply, out [][]float32) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	for i, reply := range replies {
		one, err := readKept(reply.Text)
		if err == nil {
			out[i], err = unpacked(one.Vector)
		}
		if err == nil {
			// What is in the ledger may have come from an archive.
			out[i], _, err = unit(out[i])
		}
		if err != nil {
			return l.fail(llm.KindLedger, fmt.Sprintf("the ledger's vector of %s cannot be read: %v", beginning(texts[i]), err))
		}
		if l.dimensions == 0 {
			l.dimensions = len(out[i])
		}
		if len(out[i]) != l.dimensions {
			return l.fail(llm.KindReply, fmt.Sprintf("the vector of %s has %d numbers, and those before have %d: the model behind the name has "+
				"changed: want --refresh, or another name for the new one", beginning(texts[i]), len(out[i]), l.dimensions))
		}
		l.scaled = l.scaled || one.Scaled
		if one.Cut {
			l.cut[reply.Key] = true
		}
	}
	return nil
}

func (l *Ledgered) fail(k llm.Kind, message string) error {
	return &llm.Error{Kind: k, Provider: l.client.Name(), Model: l.request.Model, Message: message}
}

// readKept reads the one vector of a kept reply.
func readKept(reply string) (kept, error) {
	var one []kept
	err := json.Unmarshal([]byte(reply), &one)
	if err == nil && len(one) != 1 {
		err = fmt.Errorf("%d vectors: want one", len(one))
	}
	if err != nil {
		return kept{}, err
	}
	return one[0], nil
}
