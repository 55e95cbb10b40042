package embed

import (
	"context"
	"fmt"
	"sync"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/llm"
	"github.com/assay-eval/assay/llm/reach"
)

// Operation is what calls for vectors are named in the ledger.
const Operation = "embed"

// Provider makes a source a provider of package llm, whose client then gives it limits,
// retries and the ledger. Each message of a request is a text, and the reply is a JSON
// list with an object for each; see [Ledgered].
func Provider(name string, s Source) llm.Provider {
	return reach.Provider(name, func(ctx context.Context, texts []string) (any, int, error) {
		b, err := s.Vectors(ctx, texts)
		if err != nil {
			return nil, 0, err
		}
		vectors, scaled, err := units(texts, b.Vectors)
		if err != nil {
			return nil, 0, err
		}
		out := make([]kept, len(texts))
		for i, v := range vectors {
			out[i] = kept{Vector: packed(v), Scaled: scaled[i], Cut: b.Cut}
		}
		return out, b.Tokens, nil
	})
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

// Ledgered is an embedder that asks through a client of package llm, so that each text is
// embedded once: another run asks for nothing, and one that was cut off for the rest. It
// is safe for concurrent use.
type Ledgered struct {
	// list asks a client around what [Provider] gave.
	list     *llm.List
	identity string

	mu sync.Mutex
	// dimensions is 0 before the first vector.
	dimensions int
	scaled     bool
	// cut has the keys of the texts that may have been cut.
	cut map[string]bool
}

// NewLedgered returns an embedder that asks client, which implements [llm.Each] and is
// around what [Provider] gave, for the vectors of a model, at most batch texts in a call.
// identity is that of [reach.Identity].
func NewLedgered(client llm.Provider, model, identity string, batch int) *Ledgered {
	// The system prompt is not sent: it is what the key depends on besides.
	base := llm.Request{Operation: Operation, Model: model, System: "embed " + identity, MaxTokens: 1}
	named := func(text string) string { return "the text is " + beginning(text) }
	return &Ledgered{list: llm.NewList(client, base, batch, named), identity: identity, cut: map[string]bool{}}
}

var _ assay.Embedder = (*Ledgered)(nil)

// Fresh returns an embedder that asks the same client and knows nothing of the vectors so
// far.
func (l *Ledgered) Fresh() *Ledgered {
	return NewLedgered(l.list.Client(), l.list.Model(), l.identity, l.list.Most())
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

// Embed takes vectors from the ledger, and asks for the others in batches; see [llm.List].
//
// Errors are an *[llm.Error], or that of ctx. They include vectors that are not finite,
// zero, of other dimensions than those before, or not one for each text.
func (l *Ledgered) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	out := make([][]float32, len(texts))
	err := l.list.Ask(ctx, texts, func(first int, replies []llm.Reply) error { return l.read(texts[first:], replies, out[first:]) })
	if err != nil {
		return nil, err
	}
	return out, nil
}

// read reads the vectors of replies.
func (l *Ledgered) read(texts []string, replies []llm.Reply, out [][]float32) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	for i, reply := range replies {
		one, err := llm.ReadOne[kept](reply)
		if err == nil {
			out[i], err = unpacked(one.Vector)
		}
		if err == nil {
			// What is in the ledger may have come from an archive.
			out[i], _, err = unit(out[i])
		}
		if err != nil {
			return l.list.Fail(llm.KindLedger, fmt.Sprintf("the ledger's vector of %s cannot be read: %v", beginning(texts[i]), err))
		}
		if l.dimensions == 0 {
			l.dimensions = len(out[i])
		}
		if len(out[i]) != l.dimensions {
			return l.list.Fail(llm.KindReply, fmt.Sprintf("the vector of %s has %d numbers, and those before have %d: the model behind the name has "+
				"changed; use --refresh, or another name for the new one", beginning(texts[i]), len(out[i]), l.dimensions))
		}
		l.scaled = l.scaled || one.Scaled
		if one.Cut {
			l.cut[reply.Key] = true
		}
	}
	return nil
}
