package llm

import (
	"errors"
	"fmt"
	"time"
)

// Kind classifies the failure of a call.
type Kind string

// The kinds of error.
const (
	// KindAuth: the key is missing, invalid, or lacks the permission.
	KindAuth Kind = "auth"
	// KindModel: the model or the address does not exist.
	KindModel Kind = "model"
	// KindRequest: the server rejects the request, because of a defect or a field that
	// it does not know.
	KindRequest Kind = "request"
	// KindTooLong: the request exceeds the model's context window.
	KindTooLong Kind = "too_long"
	// KindRate: too many requests or tokens (429).
	KindRate Kind = "rate"
	// KindServer: the server failed or is overloaded (5xx, 529).
	KindServer Kind = "server"
	// KindTimeout: no complete reply arrived in time.
	KindTimeout Kind = "timeout"
	// KindNetwork: the connection failed or was lost.
	KindNetwork Kind = "network"
	// KindReply: the server sent something other than a valid reply.
	KindReply Kind = "reply"
	// KindRefused: the model declined to answer.
	KindRefused Kind = "refused"
	// KindBudget: the call would exceed the budget. It was not made.
	KindBudget Kind = "budget"
	// KindReplay: the client replays a ledger that lacks the call.
	KindReplay Kind = "replay"
	// KindLedger: the ledger cannot be read or written.
	KindLedger Kind = "ledger"
)

// An Error describes a call that failed.
type Error struct {
	Kind     Kind
	Provider string
	Model    string
	// Status is the HTTP status, 0 if there was none.
	Status  int
	Message string
	// After is the wait that the server requests; 0 if it requests none.
	After time.Duration
	// Closed is set if further attempts are pointless: the server requests a longer
	// wait than the client allows, as with an exhausted daily quota; too many calls in
	// a row failed; or the user stopped the run.
	Closed bool
	// Single is set for a denial (401, 402, 403, 404, a redirect) by a model that has
	// replied to other requests: it may concern this request alone, as that of a content
	// filter.
	Single bool
	// Attempts is the number of calls made, 0 if there was none.
	Attempts int
	Err      error
}

// Error returns the provider, the model, the status and the message.
func (e *Error) Error() string {
	s := e.Provider
	if e.Model != "" {
		s += " " + e.Model
	}
	if e.Status != 0 {
		s += fmt.Sprintf(": status %d", e.Status)
	}
	s += ": " + e.Message
	if e.Attempts > 1 {
		s += fmt.Sprintf(" (after %d attempts)", e.Attempts)
	}
	return s
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Temporary reports whether the same call may succeed later.
func (e *Error) Temporary() bool {
	switch e.Kind {
	case KindRate, KindServer, KindTimeout, KindNetwork, KindReply:
		return !e.Closed
	}
	return false
}

// Fatal reports whether every further call of the run would fail too.
func (e *Error) Fatal() bool {
	switch e.Kind {
	case KindAuth, KindModel:
		return !e.Single
	case KindBudget, KindReplay, KindLedger:
		return true
	}
	return e.Closed
}

// Is reports whether target is an Error with only the kind set, and of the same kind:
// errors.Is(err, &Error{Kind: KindBudget}).
func (e *Error) Is(target error) bool {
	t, ok := target.(*Error)
	return ok && t.Kind == e.Kind && t.Provider == "" && t.Message == ""
}

// IsKind reports whether err is, or wraps, an Error of kind k.
func IsKind(err error, k Kind) bool {
	var e *Error
	return errors.As(err, &e) && e.Kind == k
}
