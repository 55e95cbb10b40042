package llm

import (
	"errors"
	"fmt"
	"time"
)

// Kind tells what went wrong with a call.
type Kind string

// The kinds of error.
const (
	// KindAuth: the key is missing, refused, or may not do this.
	KindAuth Kind = "auth"
	// KindModel: there is no such model or address.
	KindModel Kind = "model"
	// KindRequest: the server refuses the request as it is; a defect, or a
	// field that the server does not know.
	KindRequest Kind = "request"
	// KindTooLong: the request is longer than the model's window.
	KindTooLong Kind = "too_long"
	// KindRate: too many requests or tokens (429).
	KindRate Kind = "rate"
	// KindServer: the server failed or is overloaded (5xx, 529).
	KindServer Kind = "server"
	// KindTimeout: no whole reply in time.
	KindTimeout Kind = "timeout"
	// KindNetwork: no connection, or one that broke.
	KindNetwork Kind = "network"
	// KindReply: the server answered with something that is not a reply.
	KindReply Kind = "reply"
	// KindRefused: the model declined to answer.
	KindRefused Kind = "refused"
	// KindBudget: the call would go beyond the budget. It was not made.
	KindBudget Kind = "budget"
	// KindReplay: the ledger lacks the call, and only the ledger may answer.
	KindReplay Kind = "replay"
	// KindLedger: the ledger cannot be read or written.
	KindLedger Kind = "ledger"
)

// An Error is a call that gave no reply.
type Error struct {
	Kind     Kind
	Provider string
	Model    string
	// Status is the HTTP status, 0 when there was none.
	Status  int
	Message string
	// After is the time that the server asks to wait; 0 when it does not.
	After time.Duration
	// Closed is set when no further attempt makes sense: the server asks to wait
	// longer than the client allows, as with a daily quota that is used up; too
	// many calls in a row failed; or the user stopped the run.
	Closed bool
	// Attempts counts the calls that were made, 1 or more; 0 when none was.
	Attempts int
	Err      error
}

// Error names the provider, the model and what is wrong.
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
	case KindAuth, KindModel, KindBudget, KindReplay, KindLedger:
		return true
	}
	return e.Closed
}

// Is makes errors of one kind match: errors.Is(err, &Error{Kind: KindBudget}).
func (e *Error) Is(target error) bool {
	t, ok := target.(*Error)
	return ok && t.Kind == e.Kind && t.Provider == "" && t.Message == ""
}

// IsKind reports whether err is, or wraps, an Error of the kind.
func IsKind(err error, k Kind) bool {
	var e *Error
	return errors.As(err, &e) && e.Kind == k
}
