package reach

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/assay-eval/assay/llm"
)

// An Answer is what a source says of the messages of a request.
type Answer struct {
	// Kept is what the ledger keeps, as JSON.
	Kept any
	// Tokens counts the input, 0 if the source does not say.
	Tokens int
}

// An UnusableError is a reply of a source that cannot be used.
type UnusableError struct{ Err error }

// Error is that of the cause.
func (e *UnusableError) Error() string { return e.Err.Error() }

// Unwrap returns the cause.
func (e *UnusableError) Unwrap() error { return e.Err }

// Provider makes a source a provider of package llm, whose client then gives it limits,
// retries and the ledger. ask gets the texts of the messages of a request. Its errors are an
// *[llm.Error], that of ctx, or an *[UnusableError].
func Provider(name string, ask func(ctx context.Context, messages []string) (Answer, error)) llm.Provider {
	return provider{name, ask}
}

type provider struct {
	name string
	ask  func(ctx context.Context, messages []string) (Answer, error)
}

// Name is what users call the provider.
func (p provider) Name() string { return p.name }

// Complete asks the source about the messages.
func (p provider) Complete(ctx context.Context, r llm.Request) (llm.Reply, error) {
	messages := make([]string, len(r.Messages))
	for i, m := range r.Messages {
		messages[i] = m.Text
	}
	a, err := p.ask(ctx, messages)
	var unusable *UnusableError
	if errors.As(err, &unusable) {
		return llm.Reply{}, p.unusable(r, unusable.Err)
	}
	if err != nil {
		return llm.Reply{}, err
	}
	text, err := json.Marshal(a.Kept)
	if err != nil {
		return llm.Reply{}, p.unusable(r, err)
	}
	return llm.Reply{Text: string(text), Model: r.Model, Stop: "end", Usage: llm.Usage{Input: a.Tokens}}, nil
}

func (p provider) unusable(r llm.Request, err error) error {
	return &llm.Error{Kind: llm.KindReply, Provider: p.name, Model: r.Model, Message: err.Error(), Err: err, Attempts: 1}
}
