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
)

// An Answer is what came of a question.
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
	// follow the schema, each by itself; nil for tasks without such a field.
	Items []json.RawMessage
	// Replies are those that were received; none when the first call failed.
	Replies []llm.Reply
	// Tries counts the calls, those that failed included.
	Tries int
	// Warnings tell what was cut from the data, and what the provider remarked.
	Warnings []string
}

// Spent is what the replies consumed.
func (a Answer) Spent() assay.Spending {
	var s assay.Spending
	for _, r := range a.Replies {
		one := assay.Spending{Calls: 1, Usage: r.Total()}
		if r.Cached {
			one.Cached = 1
		}
		s.Add(one)
	}
	return s
}

// An Error is a question that was left without a reply that can be relied on.
type Error struct {
	// Operation is the task: "support".
	Operation string
	// Message says what is wrong and what would have been right.
	Message string
	// Raw is the text of the last reply, "" when there was none.
	Raw string
	// Err is the provider's error or that of the context; nil when there were
	// replies, but none that could be used.
	Err error
}

// Error gives the operation and what is wrong.
func (e *Error) Error() string { return e.Operation + ": " + e.Message }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Request builds the question. base carries the model and its parameters; its
// system text, messages and schema are replaced. lang chooses the words, English
// where there are none in that language. data is what is judged: anything that
// JSON writes as an object, to which the field "task" is added in front. The
// texts tell what was cut to fit the window.
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

// request puts the words of the prompt around the material.
func (p *Prompt) request(base llm.Request, lang, material string) llm.Request {
	base.Operation = p.Operation()
	base.System = in(p.words, lang).instruction
	base.Messages = []llm.Message{{Role: "user", Text: p.user(lang, material)}}
	base.Schema = p.schema.raw
	return base
}

// Ask asks and reads the reply. check may be nil; its error is shown to the
// model and says what would be right. A reply that cannot be used is sent back
// with what is wrong with it, as often as [Prompt.Retrying] says, once by
// default.
//
// The answer tells what was spent even when there is an error, which is an
// *[Error], or that of data that cannot be written.
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

// exchange asks until read takes a reply, and notes in the answer what came.
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

// errTruncated marks a reply that ran into the limit of tokens.
var errTruncated = errors.New("it was longer than the limit of tokens")

// read takes a reply into the answer. The error is one that a repair turn may
// mend.
func (p *Prompt) read(reply llm.Reply, check func(json.RawMessage) error, a *Answer) error {
	object, part, problem := read(reply.Text, reply.Nonce)
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
	if problem != nil && reply.Stop == "length" {
		problem = fmt.Errorf("%w: %w", errTruncated, problem)
	}
	return problem
}

// repair builds the turn that answers a reply which cannot be used.
func (p *Prompt) repair(r llm.Request, lang string, reply llm.Reply, problem error) llm.Request {
	f := in(p.frames, lang)
	words, length := f.repair, longestQuote
	if errors.Is(problem, errTruncated) && f.shorter != "" {
		const longestCut = 500
		words, length = f.shorter, longestCut
	}
	return withTurn(r, reply, strings.ReplaceAll(withNonce(words), "{{problem}}", shown(problem)), length)
}
