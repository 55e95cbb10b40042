package prompt

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/text"
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
	// Replies are those that were received, one or two; none when the first
	// call failed.
	Replies []llm.Reply
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

// Fatal reports whether every further question would fail as the one that err
// came of: the key is refused, the budget is spent, the ledger lacks the call.
func Fatal(err error) bool {
	var call *llm.Error
	return errors.As(err, &call) && call.Fatal()
}

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
	base.Operation = p.Operation()
	base.System = instruction
	base.Messages = []llm.Message{{Role: "user", Text: p.user(lang, n.string())}}
	base.Schema = p.schema.raw
	return base, cuts, nil
}

// Ask asks and reads the reply. check may be nil; its error is shown to the
// model and says what would be right. A reply that cannot be used is sent back
// once, with what is wrong with it.
//
// The answer tells what was spent even when there is an error, which is an
// *[Error], or that of data that cannot be written.
func (p *Prompt) Ask(ctx context.Context, provider llm.Provider, base llm.Request, lang string, data any, check func(json.RawMessage) error) (Answer, error) {
	var a Answer
	request, cuts, err := p.Request(base, lang, data)
	if err != nil {
		return a, err
	}
	a.Warnings = cuts
	reply, problem, err := p.try(ctx, provider, request, check, &a)
	if err != nil || problem == nil {
		return a, err
	}
	reply, problem, err = p.try(ctx, provider, p.repair(request, lang, reply, problem), check, &a)
	if err != nil || problem == nil {
		return a, err
	}
	return a, &Error{Operation: p.Operation(), Message: "the reply cannot be used: " + problem.Error(), Raw: reply.Text}
}

// errTruncated marks a reply that ran into the limit of tokens.
var errTruncated = errors.New("it was longer than the limit of tokens")

// try makes one call. The problem is one that a repair turn may mend.
func (p *Prompt) try(ctx context.Context, provider llm.Provider, r llm.Request, check func(json.RawMessage) error, a *Answer) (reply llm.Reply, problem, err error) {
	reply, err = provider.Complete(ctx, r)
	if err != nil {
		last := ""
		if n := len(a.Replies); n > 0 {
			last = a.Replies[n-1].Text
		}
		return reply, nil, &Error{Operation: p.Operation(), Message: err.Error(), Raw: last, Err: err}
	}
	a.Replies = append(a.Replies, reply)
	for _, w := range reply.Warnings {
		if !slices.Contains(a.Warnings, w) {
			a.Warnings = append(a.Warnings, w)
		}
	}
	if reply.Stop == "refusal" {
		return reply, nil, &Error{Operation: p.Operation(), Message: "the model declined to judge", Raw: reply.Text}
	}
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
	return reply, problem, nil
}

// repair builds the turn that answers a reply which cannot be used. The reply
// is quoted back with the mark in place of the nonce, so that the request is
// the same whichever nonce was drawn, and the new one is the only one in it.
func (p *Prompt) repair(r llm.Request, lang string, reply llm.Reply, problem error) llm.Request {
	const longest, longestCut = 6000, 500
	f := in(p.frames, lang)
	words, length := f.repair, longest
	if errors.Is(problem, errTruncated) {
		words, length = f.shorter, longestCut
	}
	words = strings.ReplaceAll(withNonce(words), "{{problem}}", text.Visible(text.Shorten(problem.Error(), 600)))
	said := text.Visible(text.Shorten(reply.Text, length))
	if reply.Nonce != "" {
		said = regexp.MustCompile("(?i)"+regexp.QuoteMeta(reply.Nonce)).ReplaceAllLiteralString(said, llm.NonceMark)
	}
	first := r.Messages[0]
	if strings.TrimSpace(said) == "" {
		// Servers refuse an empty turn, and some two of one role in a row.
		first.Text += "\n\n" + words
		r.Messages = []llm.Message{first}
		return r
	}
	r.Messages = []llm.Message{first, {Role: "assistant", Text: said}, {Role: "user", Text: words}}
	return r
}
