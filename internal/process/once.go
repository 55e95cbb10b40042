package process

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"runtime"
	"sync"
	"time"

	"github.com/assay-eval/assay/internal/secret"
)

// grace is how long the output of a command that has ended may stay open.
const grace = 2 * time.Second

// A Once is a command that is run to its end for each use. It is safe for concurrent use.
type Once struct {
	// Args are the program and its arguments, which no shell sees. Dir is where it is
	// started; "" is where this process was.
	Args []string
	Dir  string
	// Stdin is what it reads; nil is nothing.
	Stdin io.Reader
	// Most bounds what it may write to standard output, in bytes.
	Most int
	// Stderr gets what the command writes there, beside the end of it that messages quote;
	// nil gets nothing. Out guards it.
	Stderr io.Writer
	Out    *sync.Mutex
	// Secrets are taken out of messages.
	Secrets secret.Set
}

// Why says why a command gave no output.
type Why string

// The reasons.
const (
	// Unstarted: it could not be started.
	Unstarted Why = "unstarted"
	// Overflow: it wrote more than it may.
	Overflow Why = "overflow"
	// Exited: it ended with a status other than 0. Broken: it was ended by a signal, or its
	// input or output failed.
	Exited Why = "exited"
	Broken Why = "broken"
)

// A OnceError is why a command gave no output, with the end of its standard error.
type OnceError struct {
	Why Why
	// Message is empty for Overflow, of which the caller knows what it is too much of.
	Message string
	// Says is "; stderr: " and the end of it, or empty.
	Says string
}

func (e *OnceError) Error() string { return e.Message + e.Says }

// Run starts the command, waits for its end and returns what it wrote to standard output.
// When ctx ends, so does it, with all that it has started. The error is that of ctx or a
// *[OnceError].
func (o Once) Run(ctx context.Context) (string, error) {
	within, cancel := context.WithCancel(ctx)
	defer cancel()
	out := &bounded{most: o.Most, full: cancel}
	tail := Tail{To: o.Stderr, Out: o.Out, Secrets: o.Secrets}
	cmd := exec.CommandContext(within, o.Args[0], o.Args[1:]...)
	cmd.Dir, cmd.Stdin, cmd.Stdout, cmd.Stderr, cmd.WaitDelay = o.Dir, o.Stdin, out, &tail, grace
	cmd.Cancel = func() error { return Kill(cmd) }
	// On Linux the process is killed when the thread that started it ends.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	fail := func(why Why, says, format string, args ...any) (string, error) {
		return "", &OnceError{why, o.Secrets.Scrub(fmt.Sprintf(format, args...)), o.Secrets.Scrub(says)}
	}
	if err := Start(cmd); err != nil {
		return fail(Unstarted, "", "cannot be started: %v%s", err, Want(err))
	}
	err := cmd.Wait()
	// What it has started and left behind goes too.
	_ = Kill(cmd)
	tail.End()
	says := tail.Says()
	var exit *exec.ExitError
	switch {
	case out.over:
		return fail(Overflow, says, "")
	case ctx.Err() != nil:
		return "", context.Cause(ctx)
	case errors.As(err, &exit) && exit.Exited():
		return fail(Exited, says, "%s", exit)
	case errors.As(err, &exit):
		return fail(Broken, says, "%s", exit)
	case err != nil && !errors.Is(err, exec.ErrWaitDelay):
		return fail(Broken, says, "%v", err)
	}
	return out.b.String(), nil
}

// bounded keeps what is written, up to so many bytes.
type bounded struct {
	b    bytes.Buffer
	most int
	over bool
	full func()
}

func (w *bounded) Write(p []byte) (int, error) {
	if w.b.Len()+len(p) > w.most {
		w.over = true
		w.full()
		return 0, io.ErrShortWrite
	}
	return w.b.Write(p)
}
