// Package llm talks to language models: one file for each protocol, and a [Client] that
// wraps any provider: it stores every call in a ledger, does not repeat a stored call,
// enforces rate limits and a budget, and retries temporary errors. The package knows
// nothing of judges or metrics.
package llm

import (
	"context"
	"encoding/json"
	"time"

	"github.com/assay-eval/assay"
)

// A Provider calls a model. Complete makes exactly one call; the [Client] adds retries,
// limits and the ledger. A Provider is safe for concurrent use, honours ctx, and
// returns an *[Error] for every failure that ctx did not cause. A reply, an error, and
// a provider printed with %v never contain a secret.
type Provider interface {
	Complete(ctx context.Context, r Request) (Reply, error)
	// Name returns the name of the provider in the configuration, such as "anthropic".
	// It is part of every ledger key.
	Name() string
}

// A Located is a provider whose replies depend on where it asks. Address returns that, without secrets: the scheme, host
// and path of a server, or the hash of a script.
type Located interface{ Address() string }

// A Request is a request for one completion.
type Request struct {
	// Operation names the purpose of the request, such as "support", for cost
	// accounting and for the rules of the fake provider. It is neither sent nor part of
	// the key.
	Operation string `json:"-"`
	Model     string `json:"model"`
	// System is the same for all calls of an operation, so that providers
	// that cache prompts can cache it.
	System   string    `json:"system,omitempty"`
	Messages []Message `json:"messages"`
	// Schema is the JSON schema of the reply; nil requests plain text. A provider
	// without structured output ignores it, so the prompt must describe the format as
	// well.
	Schema json.RawMessage `json:"schema,omitempty"`
	// MaxTokens bounds the reply, reasoning included; 0 means 4096.
	MaxTokens int `json:"max_tokens,omitempty"`
	// Temperature is sent when it is set.
	Temperature *float64 `json:"temperature,omitempty"`
	// Seed is sent if the provider accepts one.
	Seed *int64 `json:"seed,omitempty"`
	// Thinking is the budget for reasoning, in tokens; 0 leaves it to the model,
	// [NoThinking] asks for none.
	Thinking int `json:"thinking,omitempty"`
	// TopLogprobs asks for the log probabilities of that many of the most likely tokens in
	// each place of the reply; 0 asks for none. A provider that has none leaves them out.
	TopLogprobs int `json:"top_logprobs,omitempty"`
	// Extra contains further top-level fields of the body, such as "enable_thinking",
	// which some servers accept.
	Extra map[string]any `json:"extra,omitempty"`
	// Draw distinguishes repeated samples of the same request.
	Draw int `json:"draw,omitempty"`
}

// Message is one turn of a conversation.
type Message struct {
	// Role is "user" or "assistant".
	Role string `json:"role"`
	Text string `json:"text"`
}

// NonceMark is the placeholder for the nonce of the call in a message. A client
// replaces it with 32 hexadecimal digits that are new for every call, so the judged
// text cannot contain them; the key of the call is computed with the placeholder. It
// includes a control character that JSON strings must escape, so data quoted as JSON
// cannot contain the placeholder.
const NonceMark = "\x02nonce\x03"

// A Reply is the reply of a model.
type Reply struct {
	Text string `json:"text"`
	// Thinking is the reasoning, as far as the provider discloses it.
	Thinking string `json:"thinking,omitempty"`
	// Tokens are those of the text with their log probabilities, if they were asked for and
	// the provider discloses them.
	Tokens []Token `json:"tokens,omitempty"`
	// Model is the model that replied, as the provider names it.
	Model string `json:"model,omitempty"`
	// Stop is why the reply ended: "end", "length", "refusal", or another value that
	// the provider sent.
	Stop  string `json:"stop,omitempty"`
	Usage Usage  `json:"usage,omitzero"`
	// Nonce is the nonce of the call.
	Nonce string `json:"nonce,omitempty"`
	// Cost is in micro-dollars, computed from the price table; Priced is false if the
	// table lacks the model.
	Cost   int64 `json:"cost_micro_usd,omitempty"`
	Priced bool  `json:"priced,omitempty"`
	// Server is the address of the server that replied, or what else the reply is from (see [Located]); "" if nobody knows.
	Server string `json:"server,omitempty"`
	// Unusable is why the caller could not use the reply, "" if nobody said so: see
	// [Reject].
	Unusable string `json:"unusable,omitempty"`
	// Failed is set in the ledger for a request without a reply, which failed for good: a replay
	// fails in the same way, and Unusable has the message.
	Failed *Failure `json:"failed,omitempty"`
	// Key is the key of the request in the ledger, if a [Client] gave the reply.
	Key string `json:"-"`
	// Cached is set if an earlier run paid for the reply. It is not stored.
	Cached bool `json:"-"`
	// Recalled is set if the reply was in the ledger. It is not stored.
	Recalled bool          `json:"-"`
	Latency  time.Duration `json:"-"`
	// Warnings contains warnings such as "does not support thinking". They are not
	// stored.
	Warnings []string `json:"-"`
}

// A Failure is what a replay needs of an [Error] besides its message.
type Failure struct {
	Kind   Kind `json:"kind"`
	Status int  `json:"status,omitempty"`
}

// A Token is a token of a reply.
type Token struct {
	Text    string  `json:"token"`
	Logprob float64 `json:"logprob"`
	// Top are the most likely tokens in its place; it may be one of them.
	Top []Token `json:"top_logprobs,omitempty"`
}

// UnmarshalJSON implements [json.Unmarshaler]. A probability that a server leaves out is that of a token that cannot be, as OpenAI writes it.
func (t *Token) UnmarshalJSON(data []byte) error {
	type plain Token
	read := plain{Logprob: -9999}
	err := json.Unmarshal(data, &read)
	*t = Token(read)
	return err
}

// Usage counts tokens. Providers that report less leave zeros.
type Usage struct {
	// Input counts all input tokens; CacheRead and CacheWrite count those of them that
	// the provider read from, or wrote to, its prompt cache.
	Input      int `json:"input"`
	CacheRead  int `json:"cache_read,omitempty"`
	CacheWrite int `json:"cache_write,omitempty"`
	// Output counts all output tokens; Reasoning counts those of them that are
	// reasoning.
	Output    int `json:"output"`
	Reasoning int `json:"reasoning,omitempty"`
}

// Spending counts the reply as one call.
func (r Reply) Spending() assay.Spending {
	s := assay.Spending{Calls: 1, Usage: r.Total()}
	if r.Cached {
		s.Cached = 1
	}
	return s
}

// Total returns the usage and the cost as a record stores them.
func (r Reply) Total() assay.Usage {
	return assay.Usage{InputTokens: r.Usage.Input, OutputTokens: r.Usage.Output, Cost: r.Cost}
}
