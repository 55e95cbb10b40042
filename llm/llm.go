// Package llm talks to language models: one file a provider, and around any of
// them a [Client] that keeps every call in a ledger, asks nothing twice, stays
// within limits and budget, and tries again what may succeed. It knows nothing
// of judges or metrics.
package llm

import (
	"context"
	"encoding/json"
	"time"

	"github.com/assay-eval/assay"
)

// A Provider asks a model. Complete makes exactly one call: retries, limits and
// the ledger are the [Client]'s. It is safe for concurrent use, honours ctx, and
// returns an *[Error] for everything that goes wrong outside of ctx. No secret
// is ever part of a reply, an error, or what %v prints of a provider.
type Provider interface {
	Complete(ctx context.Context, r Request) (Reply, error)
	// Name is what users call the provider, such as "anthropic". It is part
	// of every ledger key.
	Name() string
}

// A Request is one question to a model.
type Request struct {
	// Operation says what is asked, such as "support": for accounts and for
	// scripts of the fake. It is not sent, and not part of the key.
	Operation string `json:"-"`
	Model     string `json:"model"`
	// System is the same for all calls of an operation, so that providers
	// that cache prompts can cache it.
	System   string    `json:"system,omitempty"`
	Messages []Message `json:"messages"`
	// Schema is the JSON schema of the reply; nil asks for plain text. A
	// provider without structured output ignores it: the prompt has to say it
	// too.
	Schema json.RawMessage `json:"schema,omitempty"`
	// MaxTokens bounds the reply, reasoning included; 0 means 4096.
	MaxTokens int `json:"max_tokens,omitempty"`
	// Temperature is sent when it is set.
	Temperature *float64 `json:"temperature,omitempty"`
	// Seed is sent where the provider takes one.
	Seed *int64 `json:"seed,omitempty"`
	// Thinking asks for reasoning, with a budget in tokens: 0 does not ask.
	Thinking int `json:"thinking,omitempty"`
	// Extra are further fields of the body, at its top level, such as
	// "enable_thinking" of some servers.
	Extra map[string]any `json:"extra,omitempty"`
	// Draw tells repeated draws of the same question apart.
	Draw int `json:"draw,omitempty"`
}

// Message is one turn of a conversation.
type Message struct {
	// Role is "user" or "assistant".
	Role string `json:"role"`
	Text string `json:"text"`
}

// NonceMark stands in a message wherever the nonce of the call goes. A client
// replaces it by 32 hexadecimal digits that are fresh for every call, which
// what is judged therefore cannot hold; the key of the call is made with the
// mark. It has a control character that JSON strings cannot hold unescaped, so
// data that is quoted as JSON cannot hold the mark.
const NonceMark = "\x02nonce\x03"

// A Reply is what a model said.
type Reply struct {
	Text string `json:"text"`
	// Thinking is the reasoning that the provider let us see.
	Thinking string `json:"thinking,omitempty"`
	// Model is the one that answered, in the provider's words.
	Model string `json:"model,omitempty"`
	// Stop is why the reply ended: "end", "length", "refusal", or the
	// provider's own word.
	Stop  string `json:"stop,omitempty"`
	Usage Usage  `json:"usage,omitzero"`
	// Nonce is the one that the call was made with.
	Nonce string `json:"nonce,omitempty"`
	// Cost is in micro-dollars, by the price table; Priced is false when the
	// table does not know the model.
	Cost   int64 `json:"cost_micro_usd,omitempty"`
	Priced bool  `json:"priced,omitempty"`
	// Cached is set when an earlier run paid for the reply. It is not kept.
	Cached  bool          `json:"-"`
	Latency time.Duration `json:"-"`
	// Warnings are remarks, such as "does not support thinking". Not kept.
	Warnings []string `json:"-"`
}

// Usage counts tokens. Providers that report less leave zeros.
type Usage struct {
	// Input counts all tokens that went in, CacheRead and CacheWrite those of
	// them that the provider read from, or wrote to, its prompt cache.
	Input      int `json:"input"`
	CacheRead  int `json:"cache_read,omitempty"`
	CacheWrite int `json:"cache_write,omitempty"`
	// Output counts all tokens that came out, Reasoning those of them that
	// were thought.
	Output    int `json:"output"`
	Reasoning int `json:"reasoning,omitempty"`
}

// Total gives the usage in the terms of a record.
func (r Reply) Total() assay.Usage {
	return assay.Usage{InputTokens: r.Usage.Input, OutputTokens: r.Usage.Output, Cost: r.Cost}
}
