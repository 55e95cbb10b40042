// Package target holds the adapters: how assay reaches one kind of system. Each
// makes an [assay.Target]; targettest is the conformance kit for all of them.
//
// An adapter makes one call and says what went wrong, as an *[Error]. Timeouts,
// retries and waits are the engine's.
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
)

// A Kind says in one word why a target gave no response.
type Kind string

// The kinds of failure.
const (
	// Timeout means that the response did not come in time.
	Timeout Kind = "timeout"
	// Refused means that there was no connection: nobody listens, the name is
	// unknown, the program cannot be started.
	Refused Kind = "refused"
	// Status means that the target answered with an error status.
	Status Kind = "status"
	// Crash means that the target ended while it was working.
	Crash Kind = "crash"
	// Missing means that nothing is recorded for the case.
	Missing Kind = "missing"
	// Reply means that the answer cannot be read.
	Reply Kind = "reply"
	// Failed means that the target itself reported a failure, in words only.
	Failed Kind = "error"
)

// Kinds lists the kinds.
func Kinds() []Kind { return []Kind{Timeout, Refused, Status, Crash, Missing, Reply, Failed} }

// An Error tells why a target gave no response. The engine understands it
// through its methods.
type Error struct {
	Kind Kind
	// Again says that another attempt may help.
	Again bool
	// After is the least time to wait before it, when the target said so.
	After time.Duration
	// Most bounds the attempts at a case that fail in this way, the first one
	// among them; 0 leaves that to the engine.
	Most int
	// Err is the cause; its text becomes the message. It holds no secrets.
	Err error
}

// Errorf returns an error of a kind. Another attempt may help after a timeout, a
// refusal, a reported failure and, once, a crash; an unreadable reply or a missing
// record would come again. For a status use [StatusError].
func Errorf(k Kind, format string, args ...any) *Error {
	most := 0
	if k == Crash {
		most = 2
	}
	again := k == Timeout || k == Refused || k == Crash || k == Failed
	return &Error{Kind: k, Again: again, Most: most, Err: fmt.Errorf(format, args...)}
}

func (e *Error) Error() string {
	if e.Err == nil {
		return string(e.Kind)
	}
	return e.Err.Error()
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Failure is the error as a record keeps it.
func (e *Error) Failure() assay.Failure {
	return assay.Failure{Kind: string(e.Kind), Message: e.Error()}
}

// Retry says whether another attempt may help and the least time to wait.
func (e *Error) Retry() (after time.Duration, ok bool) { return e.After, e.Again }

// MostAttempts is Most.
func (e *Error) MostAttempts() int { return e.Most }

// maxBody bounds how much of a response's body an error quotes.
const maxBody = 300

// StatusError is the error for an HTTP response that is not a success. Another
// attempt may help after 408, 425, 429 and 5xx, but for 501 and 505, which say
// that the server cannot. The Retry-After header is honoured in both its forms;
// now is the time to which a date is compared.
func StatusError(status int, header http.Header, body string, now time.Time) *Error {
	text := strings.Join(strings.Fields(strings.ToValidUTF8(body, "\uFFFD")), " ")
	if r := []rune(text); len(r) > maxBody {
		text = string(r[:maxBody]) + "…"
	}
	msg := strings.TrimSpace(fmt.Sprintf("status %d %s", status, http.StatusText(status)))
	if text != "" {
		msg += ": " + text
	}
	e := &Error{Kind: Status, Err: errors.New(msg)}
	switch {
	case status == http.StatusRequestTimeout || status == http.StatusTooEarly || status == http.StatusTooManyRequests:
		e.Again = true
	case status >= 500 && status != http.StatusNotImplemented && status != http.StatusHTTPVersionNotSupported:
		e.Again = true
	}
	if e.Again {
		e.After = retryAfter(header.Get("Retry-After"), now)
	}
	return e
}

// maxAfter keeps a number of seconds far from overflow: ten years.
const maxAfter = 10 * 365 * 24 * time.Hour

// retryAfter reads a number of seconds or an HTTP date. What it cannot read,
// and what has passed, is 0.
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

// cancelled returns the error of a call whose context is done, else nil.
func cancelled(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return &Error{Kind: Timeout, Err: err}
	}
	return nil
}
