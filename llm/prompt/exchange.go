package prompt

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/assay-eval/assay/internal/text"
	"github.com/assay-eval/assay/llm"
)

// An Exchange asks a model one question until a reply can be used. It is the
// loop behind every question of the program, whoever writes the prompt.
type Exchange struct {
	Provider llm.Provider
	Request  llm.Request
	Retry    Retry
	// Read takes a reply. Its error says what is wrong and what would be
	// right, and is shown to the model.
	Read func(llm.Reply) error
	// Repair builds the request that follows a reply which cannot be used; nil
	// quotes the reply and asks in plain English for the same form.
	Repair func(reply llm.Reply, problem error) llm.Request
	// AllowRefusal hands a reply to Read even when the provider says that the
	// model refused, as where the refusal is the answer. Without it a refusal
	// is a call that failed.
	AllowRefusal bool
}

// Retry says what is asked again and when. The zero value sends an unusable
// reply back once, at once, and leaves failed calls to the [llm.Client].
type Retry struct {
	// Waits are the waits before the second, third, … try, after a failed call
	// as after an unusable reply. There are len(Waits)+1 tries at most. Nobody
	// waits after a reply from the ledger, and an error that would come again
	// (see [Fatal]) ends the exchange.
	Waits []time.Duration
	// Sleep waits for d or until ctx is done, and then returns ctx's error. It
	// is required with Waits.
	Sleep func(ctx context.Context, d time.Duration) error
	// Timeout bounds a call; 0 sets no bound.
	Timeout time.Duration
}

// Exchanged is what came of an [Exchange].
type Exchanged struct {
	// Replies are those that were received, in order. The last is the one that
	// Read took, unless there is an error.
	Replies []llm.Reply
	// Problems tell what was wrong with the replies that were sent back.
	Problems []error
	// Tries counts the calls, those that failed included.
	Tries int
}

// Unusable is the error of an exchange whose last reply could not be used.
type Unusable struct{ Problem error }

// Error says what is wrong with the reply.
func (e *Unusable) Error() string { return "the reply cannot be used: " + e.Problem.Error() }

// Unwrap returns the problem.
func (e *Unusable) Unwrap() error { return e.Problem }

// drawStep separates the draws of repeated repairs from those of different
// judges that are the same model.
const drawStep = 1000

// Do asks until Read takes a reply. The error is an *[Unusable], the provider's,
// or the cause of ctx's end.
//
// A failed call is repeated as it was, so that a later exchange finds its reply
// in the ledger. An unusable reply is in the ledger already, so the request that
// follows says what was wrong; from the second repair on it is another draw as
// well, because the same reply may have come again.
func (e Exchange) Do(ctx context.Context) (Exchanged, error) {
	var out Exchanged
	r := e.Request
	repairs := 1
	if e.Retry.Waits != nil {
		repairs = len(e.Retry.Waits)
	}
	for {
		out.Tries++
		reply, err := e.call(ctx, r)
		if err == nil {
			out.Replies = append(out.Replies, reply)
			if reply.Stop == "refusal" && !e.AllowRefusal {
				err = &llm.Error{Kind: llm.KindRefused, Provider: e.Provider.Name(), Model: r.Model, Message: "the model declined", Attempts: 1}
			}
		}
		failed := err != nil
		if !failed {
			problem := e.Read(reply)
			if problem == nil {
				return out, nil
			}
			err = &Unusable{problem}
			if out.Tries <= repairs {
				r = e.repair(reply, problem)
				r.Draw += drawStep * len(out.Problems)
				out.Problems = append(out.Problems, problem)
			}
		}
		switch {
		case ctx.Err() != nil:
			return out, context.Cause(ctx)
		case failed && (e.Retry.Waits == nil || Fatal(err)), out.Tries > repairs:
			return out, err
		case reply.Cached, e.Retry.Waits == nil:
			continue
		}
		if err := e.Retry.Sleep(ctx, e.Retry.Waits[out.Tries-1]); err != nil {
			return out, err
		}
	}
}

// call makes one call within the time limit.
func (e Exchange) call(ctx context.Context, r llm.Request) (llm.Reply, error) {
	limited := ctx
	if e.Retry.Timeout > 0 {
		var cancel context.CancelFunc
		limited, cancel = context.WithTimeout(ctx, e.Retry.Timeout)
		defer cancel()
	}
	reply, err := e.Provider.Complete(limited, r)
	if err != nil && limited.Err() != nil && ctx.Err() == nil {
		return reply, &llm.Error{
			Kind: llm.KindTimeout, Provider: e.Provider.Name(), Model: r.Model,
			Message: fmt.Sprintf("no reply within %v", e.Retry.Timeout), Attempts: 1, Err: err,
		}
	}
	return reply, err
}

func (e Exchange) repair(reply llm.Reply, problem error) llm.Request {
	if e.Repair != nil {
		return e.Repair(reply, problem)
	}
	words := "This reply cannot be used: " + shown(problem) + ". Reply again, in the form that was asked for and with nothing else."
	return withTurn(e.Request, reply, words, longestQuote)
}

// longestQuote bounds, in characters, how much of a reply is quoted back.
const longestQuote = 6000

// shown writes a problem for a model.
func shown(problem error) string { return text.Visible(text.Shorten(problem.Error(), 600)) }

// withTurn adds to a request the reply that cannot be used and words that say
// so. The reply is quoted with the mark in place of the nonce, so that the
// request is the same whichever nonce was drawn, and the new one is the only one
// in it.
func withTurn(r llm.Request, reply llm.Reply, words string, longest int) llm.Request {
	said := text.Visible(text.Shorten(reply.Text, longest))
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

// Fatal reports whether every further question would fail as the one that err
// came of: the key is refused, the budget is spent, the ledger lacks the call.
func Fatal(err error) bool {
	var call *llm.Error
	return errors.As(err, &call) && call.Fatal()
}
