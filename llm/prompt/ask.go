package prompt

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/llm"
	modelreply "github.com/assay-eval/assay/target/reply"
)

// An Answer is the result of asking a prompt.
type Answer struct {
	// JSON is the object of the reply, on one line: it echoes the nonce,
	// follows the schema and passed the check. nil with an error.
	JSON json.RawMessage
	// Partial is, with an error, what the last readable reply held: an object
	// that echoes the nonce but leaves the schema, fails the check, or breaks
	// off after some whole items. Nothing else about it is certain. nil when
	// there is none.
	Partial json.RawMessage
	// Items are the elements of the field "items" of JSON or of Partial that
	// individually follow the schema; nil for tasks without such a field.
	Items []json.RawMessage
	// Whole is set if Items is the complete list: the reply does not break off, and every
	// element follows the schema.
	Whole bool
	// Replies are the replies received; empty if the first call failed.
	Replies []llm.Reply
	// Tries is the number of calls, including failed ones.
	Tries int
	// Warnings list what was truncated in the data, and the provider's warnings.
	Warnings []string
}

// Spent returns the total usage of the replies.
func (a Answer) Spent() assay.Spending {
	var s assay.Spending
	for _, r := range a.Replies {
		s.Add(r.Spending())
	}
	return s
}

// Keys lists the keys of the replies in the ledger.
func (a Answer) Keys() []string {
	var out []string
	for _, r := range a.Replies {
		if r.Key != "" {
			out = append(out, r.Key)
		}
	}
	return out
}

// An Error reports that no usable reply was received.
type Error struct {
	// Operation is the task: "support".
	Operation string
	// Message states what is wrong and what is expected.
	Message string
	// Raw is the text of the last reply, "" if there was none.
	Raw string
	// Err is the error of the provider or of the context; nil if replies were received
	// but none was usable.
	Err error
}

// Error returns the operation and the message.
func (e *Error) Error() string { return e.Operation + ": " + e.Message }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Request returns the request. base has the model and its parameters; its system text,
// messages and schema are replaced. lang is the language of the prompt; English is the
// fallback. data is a value that JSON encodes as an object; the field "task" is added
// at its front. The strings describe what was truncated to fit the window.
func (p *Prompt) Request(base llm.Request, lang string, data any) (llm.Request, []string, error) {
	n, err := object(p.Operation(), data)
	if err != nil {
		return llm.Request{}, nil, err
	}
	reply := base.MaxTokens
	if reply == 0 {
		reply = llm.DefaultMaxTokens
	}
	instruction := in(p.words, lang).instruction
	cuts, err := fit(n, room(p.window, llm.EstimateTokens(instruction)+llm.EstimateTokens(p.user(lang, "")), reply), p.window)
	if err != nil {
		return llm.Request{}, nil, &Error{Operation: p.Operation(), Message: err.Error(), Err: err}
	}
	return p.request(base, lang, n.string()), cuts, nil
}

// request returns the request with the prompt's texts around the material.
func (p *Prompt) request(base llm.Request, lang, material string) llm.Request {
	base.Operation = p.Operation()
	base.System = in(p.words, lang).instruction
	base.Messages = []llm.Message{{Role: "user", Text: p.user(lang, material)}}
	base.Schema = p.schema.raw
	return base
}

// Ask sends the request and reads the reply. check may be nil; its error is shown to
// the model and must state what is expected. An unusable reply is sent back with the
// problem, as often as [Prompt.Retrying] allows, by default once.
//
// The answer includes the usage even if there is an error. The error is an *[Error], or
// that of data that cannot be encoded.
func (p *Prompt) Ask(
	ctx context.Context, provider llm.Provider, base llm.Request, lang string, data any, check func(json.RawMessage) error,
) (Answer, error) {
	request, cuts, err := p.Request(base, lang, data)
	if err != nil {
		return Answer{}, err
	}
	a := Answer{Warnings: cuts}
	err = p.exchange(ctx, provider, request, lang, &a, func(reply llm.Reply) error { return p.read(reply, check, &a) })
	return a, err
}

// AskElements asks about material that is written as elements (see [Element]) and
// has read take the reply: its JSON object, or the answer when the prompt has no
// schema. It needs a prompt of [LoadElements]. The material is not cut.
func (p *Prompt) AskElements(
	ctx context.Context, provider llm.Provider, base llm.Request, lang string, elements []string, read func(reply []byte) error,
) (Answer, error) {
	var a Answer
	request := p.request(base, lang, strings.Join(elements, "\n\n"))
	err := p.exchange(ctx, provider, request, lang, &a, func(reply llm.Reply) error {
		if p.schema.raw == nil {
			if modelreply.Stop(reply.Stop) == modelreply.StopLength { // another word may follow
				return errTruncated
			}
			return read([]byte(AnswerOf(reply.Text)))
		}
		object, err := Object(reply.Text)
		if err != nil {
			return err
		}
		return read(object)
	})
	return a, err
}

// exchange repeats the request until read accepts a reply, and records the replies in
// the answer.
func (p *Prompt) exchange(
	ctx context.Context, provider llm.Provider, r llm.Request, lang string, a *Answer, read func(llm.Reply) error,
) error {
	e := Exchange{Provider: provider, Request: r, Retry: p.retry, Read: read, Repair: func(reply llm.Reply, problem error) llm.Request {
		return p.repair(r, lang, reply, problem)
	}}
	did, err := e.Do(ctx)
	a.Replies, a.Tries = did.Replies, did.Tries
	raw := ""
	for _, reply := range did.Replies {
		raw = reply.Text
		for _, w := range reply.Warnings {
			if !slices.Contains(a.Warnings, w) {
				a.Warnings = append(a.Warnings, w)
			}
		}
	}
	if err == nil {
		return nil
	}
	out := &Error{Operation: p.Operation(), Message: err.Error(), Raw: raw}
	if !errors.As(err, new(*Unusable)) {
		out.Err = err
	}
	if did.Tries > 1 && p.retry.Waits != nil && ctx.Err() == nil {
		out.Message += fmt.Sprintf(" (after %d tries)", did.Tries)
	}
	return out
}

// errTruncated marks a reply that reached the token limit.
var errTruncated = errors.New("it was longer than the limit of tokens")

// read decodes a reply into the answer. A repair turn may correct its error.
func (p *Prompt) read(reply llm.Reply, check func(json.RawMessage) error, a *Answer) error {
	object, part, problem := read(reply.Text, reply.Nonce)
	whole := problem == nil
	object, part = p.schema.mend(object), p.schema.mend(part)
	if problem == nil {
		part = object
		if problem = p.schema.problems(object); problem == nil && check != nil {
			problem = check(object)
		}
	}
	switch {
	case problem == nil:
		a.JSON, a.Partial, a.Items = object, nil, p.schema.items(object)
	case part != nil:
		a.Partial, a.Items = part, p.schema.items(part)
	}
	if problem == nil || part != nil {
		var list struct {
			Items []json.RawMessage `json:"items"`
		}
		a.Whole = whole && json.Unmarshal(part, &list) == nil && len(list.Items) == len(a.Items)
	}
	if problem != nil && reply.Stop == "length" {
		problem = fmt.Errorf("%w: %w", errTruncated, problem)
	}
	return problem
}

// repair returns the request that follows an unusable reply.
func (p *Prompt) repair(r llm.Request, lang string, reply llm.Reply, problem error) llm.Request {
	f := in(p.frames, lang)
	words, length := f.repair, longestQuote
	if errors.Is(problem, errTruncated) && f.shorter != "" {
		const longestCut = 500
		words, length = f.shorter, longestCut
	}
	return withTurn(r, reply, strings.ReplaceAll(withNonce(words), "{{problem}}", shown(problem)), length)
}
