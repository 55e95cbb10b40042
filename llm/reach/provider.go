package reach

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/assay-eval/assay/llm"
)

// An Ask asks a source about the texts of the messages of a request. It returns what the ledger
// keeps, as JSON, and the number of input tokens, 0 if the source does not say. An error that is
// neither an *[llm.Error] nor that of ctx means that the reply cannot be used.
type Ask func(ctx context.Context, messages []string) (kept any, tokens int, err error)

// Provider makes a source a provider of package llm, whose client then gives it limits,
// retries and the ledger.
func Provider(name string, ask Ask) llm.Provider { return provider{name, ask} }

type provider struct {
	name string
	ask  Ask
}

// Name is what users call the provider.
func (p provider) Name() string { return p.name }

// Complete asks the source about the messages.
func (p provider) Complete(ctx context.Context, r llm.Request) (llm.Reply, error) {
	messages := make([]string, len(r.Messages))
	for i, m := range r.Messages {
		messages[i] = m.Text
	}
	kept, tokens, err := p.ask(ctx, messages)
	var text []byte
	if err == nil {
		text, err = json.Marshal(kept)
	}
	if err != nil && ctx.Err() == nil && !errors.As(err, new(*llm.Error)) {
		err = &llm.Error{Kind: llm.KindReply, Provider: p.name, Model: r.Model, Message: err.Error(), Err: err, Attempts: 1}
	}
	if err != nil {
		return llm.Reply{}, err
	}
	return llm.Reply{Text: string(text), Model: r.Model, Stop: "end", Usage: llm.Usage{Input: tokens}}, nil
}
