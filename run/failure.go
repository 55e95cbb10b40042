package run

import (
	"context"
	"errors"
	"fmt"
	"net"
	"path"
	"runtime"
	"strings"
	"time"

	"github.com/assay-eval/assay"
)

// A CallError is an error of a target that knows its kind and whether another
// attempt may help. Adapters return one; any other error is classified by the
// engine as far as the standard library's types tell, and retried.
type CallError interface {
	error
	// Failure gives the kind and the message for the record.
	Failure() assay.Failure
	// Retry says whether another attempt may help, and the least time to wait
	// before it; 0 leaves the time to the engine.
	Retry() (after time.Duration, ok bool)
}

// A limited error is one that is worth only so many attempts, however many
// retries a user allows: a program that crashed twice on a question will again.
type limited interface{ MostAttempts() int }

// A final error ends the run: what the target needs of the evaluator, such as a
// model that it samples from, is not to be had, whatever case is asked. It says
// nothing about the target, so that the case is not recorded.
type final interface {
	error
	Fatal() bool
}

// The kinds of failure that the engine itself finds. Adapters have more.
const (
	kindTimeout = "timeout" // no response in time
	kindRefused = "refused" // no connection: what trips the breaker
	kindCrash   = "crash"   // the target panicked
	kindError   = "error"   // an error that does not tell its kind
)

// maxMessage bounds a failure's message in bytes: an error that quotes a whole
// page must not fill the store.
const maxMessage = 4 << 10

type failure struct {
	assay.Failure
	after time.Duration
	retry bool
	// most bounds the attempts that fail so; 0 leaves that to the config.
	most int
	// final is set when the run is to end.
	final error
}

// classify turns what Ask returned into a failure. ctx is that of the call.
func (e *engine) classify(ctx context.Context, err error) *failure {
	f := &failure{Failure: assay.Failure{Kind: kindError, Message: err.Error()}, retry: true}
	if ends := final(nil); errors.As(err, &ends) && ends.Fatal() {
		f.final = err
		return f
	}
	var (
		known CallError
		op    *net.OpError
		dns   *net.DNSError
		slow  net.Error
	)
	if errors.As(err, &known) {
		f.Failure = known.Failure()
		f.after, f.retry = known.Retry()
		if l, ok := known.(limited); ok {
			f.most = l.MostAttempts()
		}
	} else if errors.As(err, &op) && op.Op == "dial" || errors.As(err, &dns) {
		f.Kind = kindRefused
	} else if errors.Is(err, context.DeadlineExceeded) || errors.As(err, &slow) && slow.Timeout() {
		f.Kind = kindTimeout
	}
	// When the time is over, what the target then says of itself is a
	// consequence; unless it was never reached.
	if f.Kind != kindRefused && errors.Is(ctx.Err(), context.DeadlineExceeded) {
		message := fmt.Sprintf("no response within %v", e.cfg.Timeout)
		if over := context.DeadlineExceeded.Error(); known != nil && f.Kind == kindTimeout && f.Message != over {
			// How far it came, and what a process wrote meanwhile.
			message += ": " + strings.ReplaceAll(f.Message, ": "+over, "")
		}
		return &failure{Failure: assay.Failure{Kind: kindTimeout, Message: shorten(strings.ToValidUTF8(message, "\uFFFD"))}, retry: true}
	}
	if f.Kind == "" {
		f.Kind = kindError
	}
	f.Message = shorten(strings.ToValidUTF8(f.Message, "\uFFFD"))
	return f
}

func shorten(s string) string {
	if len(s) <= maxMessage {
		return s
	}
	return strings.ToValidUTF8(s[:maxMessage], "") + fmt.Sprintf(" … (%d bytes in all)", len(s))
}

// A crash is a panic that was recovered, with the calls that led to it; or a
// goroutine that ended, and then there are none.
type crash struct {
	value any
	at    string
}

func (c *crash) Error() string {
	if c.at == "" {
		return fmt.Sprint(c.value)
	}
	return fmt.Sprintf("panic: %v [%s]", c.value, c.at)
}

// Failure and Retry make it a [CallError]: the same question would most likely
// panic again.
func (c *crash) Failure() assay.Failure       { return assay.Failure{Kind: kindCrash, Message: c.Error()} }
func (c *crash) Retry() (time.Duration, bool) { return 0, false }

// here is the prefix of this package's functions.
const here = "github.com/assay-eval/assay/run."

// trace names the calls that led to the panic which is being recovered, the
// innermost first, down to this package. It holds neither addresses nor
// folders, so that the same panic gives the same text everywhere.
func trace() string {
	const deepest = 12
	pcs := make([]uintptr, 64)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs)])
	var out []string
	panicking := false
	for {
		f, more := frames.Next()
		name := path.Base(f.Function)
		switch {
		case f.Function == "runtime.gopanic":
			// What stands above is the recovery itself.
			panicking, out = true, nil
		case !panicking || strings.HasPrefix(f.Function, "runtime."):
		case strings.HasPrefix(f.Function, here) || len(out) == deepest:
			return strings.Join(out, " < ")
		default:
			out = append(out, fmt.Sprintf("%s %s:%d", name, path.Base(f.File), f.Line))
		}
		if !more {
			return strings.Join(out, " < ")
		}
	}
}
