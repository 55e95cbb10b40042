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
	modelreply "github.com/assay-eval/assay/target/reply"
)

// An Exchange repeats one request to a model until a reply is usable. The program makes
// all its requests to models through it.
type Exchange struct {
	Provider llm.Provider
	Request  llm.Request
	Retry    Retry
	// Read processes a reply. Its error states what is wrong and what is expected, and
	// is shown to the model.
	Read func(llm.Reply) error
	// Repair returns the request that follows an unusable reply; nil quotes the reply
	// and requests, in English, the same format.
	Repair func(reply llm.Reply, problem error) llm.Request
	// AllowRefusal passes a reply to Read even if the provider reports a refusal, for
	// callers to whom the refusal is the answer. Otherwise a refusal is a failed call.
	AllowRefusal bool
}

// Retry is a retry policy. The zero value sends an unusable reply back once, without a
// wait, and leaves failed calls to the [llm.Client].
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

// Exchanged is the result of an [Exchange].
type Exchanged struct {
	// Replies are the replies received, in order. The last is the one that Read
	// accepted, unless there is an error.
	Replies []llm.Reply
	// Problems describe what was wrong with the replies that were sent back.
	Problems []error
	// Tries is the number of calls, including failed ones.
	Tries int
}

// Unusable is the error of an exchange whose last reply was unusable.
type Unusable struct{ Problem error }

// Error describes the problem with the reply.
func (e *Unusable) Error() string { return "the reply cannot be used: " + e.Problem.Error() }

// Unwrap returns the problem.
func (e *Unusable) Unwrap() error { return e.Problem }

// drawStep separates the draws of repeated repairs from those of different
// judges that are the same model.
const drawStep = 1000

// Do repeats the request until Read accepts a reply. The error is an *[Unusable], the
// provider's, or the cause of ctx's cancellation.
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
	var answered []llm.Request
	for {
		out.Tries++
		reply, err := e.call(ctx, r)
		if err == nil {
			out.Replies = append(out.Replies, reply)
			answered = append(answered, r)
			if reply.Stop == "refusal" && !e.AllowRefusal {
				err = &llm.Error{Kind: llm.KindRefused, Provider: e.Provider.Name(), Model: r.Model, Message: "the model declined", Attempts: 1}
			}
		}
		failed := err != nil
		if !failed {
			problem := e.Read(reply)
			if why := modelreply.NoReply(reply.Stop); why != "" && reply.Stop != modelreply.StopRefusal {
				problem = errors.New("it has no answer")
			}
			if problem == nil {
				return out, nil
			}
			err = &Unusable{explained(reply, problem)}
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
			return out, e.reject(ctx, answered, err)
		case reply.Cached, e.Retry.Waits == nil:
			continue
		}
		if err := e.Retry.Sleep(ctx, e.Retry.Waits[out.Tries-1]); err != nil {
			return out, err
		}
	}
}

// explained adds to a problem what the reply shows of its cause, and how to fix it.
func explained(reply llm.Reply, problem error) error {
	empty, why := strings.TrimSpace(reply.Text) == "", ""
	switch {
	case reply.Stop == "length":
		why = "the reply ended at its limit of tokens, reasoning included (--judge-max-tokens raises it)"
	case reply.Stop != modelreply.StopRefusal && modelreply.NoReply(reply.Stop) != "":
		why = modelreply.NoReply(reply.Stop)
	case empty && reply.Thinking != "":
		why = "the reply has reasoning and no text after it (turn reasoning off, or its parser in the server)"
	default:
		return problem
	}
	return fmt.Errorf("%w; %s", problem, why)
}

// reject marks the replies to an exchange that ended without a usable one, so that the
// next run asks again, and returns why it ended. An unusable reply whose repair was
// usable stays: it leads to the same repair.
func (e Exchange) reject(ctx context.Context, answered []llm.Request, why error) error {
	for _, r := range answered {
		if err := llm.Reject(context.WithoutCancel(ctx), e.Provider, r, shown(why)); err != nil {
			return errors.Join(why, err)
		}
	}
	return why
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
