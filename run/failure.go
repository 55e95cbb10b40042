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

// A CallError is a target error that knows its kind and whether a retry may help.
// Adapters return one; the engine classifies any other error by the types of the
// standard library, and retries it.
type CallError interface {
	error
	// Failure returns the kind and the message for the record.
	Failure() assay.Failure
	// Retry reports whether another attempt may help, and the minimum wait before
	// it; 0 leaves the wait to the engine.
	Retry() (after time.Duration, ok bool)
}

// A limited error is worth only a limited number of attempts, whatever the number
// of retries: a program that crashed twice on a question will crash again.
type limited interface{ MostAttempts() int }

// A final error ends the run: something that the target needs from the evaluator,
// such as a model to sample from, is not available for any case. It says nothing
// about the target, so the case is not recorded.
type final interface {
	error
	Fatal() bool
}

// Kinds of failure that the engine itself detects. Adapters have more.
const (
	kindTimeout = "timeout"   // no response in time
	kindRefused = "refused"   // no connection; trips the breaker
	kindCrash   = "crash"     // the target panicked
	kindRaised  = "exception" // the target's code raised; trips the breaker if the first cases fail alike
	kindError   = "error"     // an error of unknown kind
)

// maxMessage bounds a failure's message in bytes, because an error may quote a
// whole page.
const maxMessage = 4 << 10

type failure struct {
	assay.Failure
	after time.Duration
	retry bool
	// most bounds the attempts that fail this way; 0 means the configured number.
	most int
	// final is set when the run should end.
	final error
}

// classify turns an error of Ask into a failure. ctx is the context of the call.
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
	// After a timeout the target's own error is a consequence, unless it says
	// that the target was never reached.
	if f.Kind != kindRefused && errors.Is(ctx.Err(), context.DeadlineExceeded) {
		message := fmt.Sprintf("no response within %v", e.cfg.Timeout)
		if over := context.DeadlineExceeded.Error(); known != nil && f.Kind == kindTimeout && f.Message != over {
			// How far the call got, and what a process wrote.
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

// A crash is a recovered panic with its call stack, or a goroutine that exited,
// without one.
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

// Failure and Retry implement [CallError]: the same question would probably panic
// again.
func (c *crash) Failure() assay.Failure       { return assay.Failure{Kind: kindCrash, Message: c.Error()} }
func (c *crash) Retry() (time.Duration, bool) { return 0, false }

// here is the prefix of this package's functions.
const here = "github.com/assay-eval/assay/run."

// trace returns the call stack of the panic that is being recovered, innermost
// first, down to this package. It contains no addresses or directories, so the
// same panic gives the same text everywhere.
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
			// The frames above belong to the recovery.
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
