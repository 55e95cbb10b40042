// Package target holds the adapters. Each adapter reaches one kind of RAG system and
// makes an [assay.Target] of it; package targettest is the conformance kit for all of
// them.
//
// An adapter makes one call and reports a failure as an *[Error]. The engine handles
// timeouts, retries and waits.
package target

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/text"
	"github.com/assay-eval/assay/target/reply"
)

// A Kind classifies why a target gave no response.
type Kind string

// The kinds of failure.
const (
	// Timeout means that the response did not come in time.
	Timeout Kind = "timeout"
	// Refused means that no connection came about: the port is closed, the host name is
	// unknown, or the program cannot be started.
	Refused Kind = "refused"
	// Status means that the target answered with an error status.
	Status Kind = "status"
	// Crash means that the target exited or broke the connection while it was working.
	Crash Kind = "crash"
	// Missing means that no response is recorded for the case.
	Missing Kind = "missing"
	// Reply means that the reply cannot be parsed.
	Reply Kind = "reply"
	// Failed means that the target itself reported a failure.
	Failed Kind = "error"
	// Raised means that the code of the target raised an exception that tells of no outage.
	Raised Kind = "exception"
)

// An Error says why a target gave no response. The engine reads it through its methods.
type Error struct {
	Kind Kind
	// Status is the HTTP status of the response; 0 if there was none.
	Status int
	// Again says that a retry may help.
	Again bool
	// After is the minimum wait before the retry, if the target gave one.
	After time.Duration
	// Most bounds the number of attempts for this failure, including the first; 0
	// leaves the bound to the engine.
	Most int
	// Err is the cause; its text becomes the message. It holds no secrets.
	Err error
}

// Errorf returns an error of kind k. Timeout, Refused and Failed may be retried, Crash
// may be retried once; Reply, Missing and Raised are not retried, since the result would
// be the same. For an HTTP status use [StatusError].
func Errorf(k Kind, format string, args ...any) *Error {
	most := 0
	if k == Crash {
		most = 2
	}
	again := k == Timeout || k == Refused || k == Crash || k == Failed
	return &Error{Kind: k, Again: again, Most: most, Err: fmt.Errorf(format, args...)}
}

// malformed returns the error for a reply that is garbled or breaks off, which the next one
// need not be: a gateway or a restart may be the cause.
func malformed(format string, args ...any) *Error {
	return &Error{Kind: Reply, Again: true, Err: fmt.Errorf(format, args...)}
}

func (e *Error) Error() string {
	if e.Err == nil {
		return string(e.Kind)
	}
	return e.Err.Error()
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Failure returns the error in the form that a record stores.
func (e *Error) Failure() assay.Failure {
	return assay.Failure{Kind: string(e.Kind), Message: e.Error()}
}

// Retry reports whether a retry may help and the minimum wait.
func (e *Error) Retry() (after time.Duration, ok bool) { return e.After, e.Again }

// MostAttempts returns e.Most.
func (e *Error) MostAttempts() int { return e.Most }

// maxBody bounds how much of a response's body an error quotes.
const maxBody = 300

// StatusError returns the error for an HTTP response with a status other than success.
// A retry may help after 408, 425, 429 and 5xx, except 501 and 505, which are
// permanent. Both forms of the Retry-After header are honoured; now is the time that a
// date in it is compared with.
func StatusError(status int, header http.Header, body string, now time.Time) *Error {
	said := text.Shorten(text.Collapse(strings.ToValidUTF8(body, "\uFFFD")), maxBody)
	msg := strings.TrimSpace(fmt.Sprintf("status %d %s", status, http.StatusText(status)))
	if said != "" {
		msg += ": " + said
	}
	e := &Error{Kind: Status, Status: status, Err: errors.New(msg)}
	if e.Again = transient(status); e.Again {
		e.After = retryAfter(header.Get("Retry-After"), now)
	}
	return e
}

// transient reports whether a retry may help after a status.
func transient(status int) bool {
	return status == http.StatusRequestTimeout || status == http.StatusTooEarly || status == http.StatusTooManyRequests ||
		status >= 500 && status != http.StatusNotImplemented && status != http.StatusHTTPVersionNotSupported
}

// unread returns the error for a reply that cannot be read, or in which the target reports a failure.
func unread(err error) *Error {
	if failure := new(reply.FailureError); errors.As(err, &failure) {
		return &Error{Kind: Failed, Again: failure.Status == 0 || transient(failure.Status), Err: err}
	}
	return Errorf(Reply, "%w", err)
}

// Reported returns the error for a failure that a decoded reply reports, nil if it reports none.
func Reported(v any) error {
	o, _ := v.(map[string]any)
	says := reply.Also(o)
	if says == "" {
		return nil
	}
	e := failedItself(&reply.FailureError{Message: says, Status: reply.StatusOf(o)})
	e.Status = reply.StatusOf(o)
	return e
}

// maxAfter, ten years, keeps a number of seconds far from overflow.
const maxAfter = 10 * 365 * 24 * time.Hour

// retryAfter parses a number of seconds or an HTTP date. It returns 0 for anything else
// and for a time in the past.
func retryAfter(s string, now time.Time) time.Duration {
	s = strings.TrimSpace(s)
	if n, err := strconv.ParseUint(s, 10, 64); err == nil || errors.Is(err, strconv.ErrRange) {
		return time.Duration(min(n, uint64(maxAfter/time.Second))) * time.Second
	}
	if at, err := http.ParseTime(s); err == nil {
		return min(max(at.Sub(now), 0), maxAfter)
	}
	return 0
}

// cancelled returns an error if ctx is done, else nil.
func cancelled(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return &Error{Kind: Timeout, Err: err}
	}
	return nil
}
