package process

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"sync"
	"time"

	"github.com/assay-eval/assay/internal/secret"
)

// linger is how long the standard error of a program that has ended may stay open, which
// its children may hold.
const linger = 250 * time.Millisecond

// A Kept is a program that keeps running, to be spoken to over its standard input and
// output.
type Kept struct {
	Stdin io.WriteCloser
	// Stdout stays open when the program ends, so that nothing that it wrote is lost. The
	// caller closes it.
	Stdout *os.File
	Tail   *Tail
	// Gone is closed once the program and its children have ended and the tail is complete;
	// Err then says how it ended, nil if with status 0.
	Gone chan struct{}
	Err  error
	// Kill ends the program and its children at once.
	Kill context.CancelFunc

	cmd *exec.Cmd
	ask sync.Once
}

// Keep starts a program in a folder, with an environment in addition to that of this
// process. The tail says where its standard error goes. The error says what to change: a retry would fail in the
// same way.
func Keep(args []string, dir string, env []string, tail *Tail) (*Kept, error) {
	ctx, kill := context.WithCancel(context.Background())
	k := &Kept{Tail: tail, Gone: make(chan struct{}), Kill: kill}
	k.cmd = exec.CommandContext(ctx, args[0], args[1:]...)
	k.cmd.Dir, k.cmd.Stderr, k.cmd.WaitDelay = dir, tail, linger
	k.cmd.Cancel = func() error { return Kill(k.cmd) }
	k.cmd.Env = append(os.Environ(), env...)
	var theirs *os.File
	var err error
	if k.Stdout, theirs, err = os.Pipe(); err != nil {
		kill()
		return nil, err
	}
	k.cmd.Stdout = theirs
	if k.Stdin, err = k.cmd.StdinPipe(); err == nil {
		started := make(chan error, 1)
		go k.live(started)
		err = <-started
	}
	theirs.Close()
	if err != nil {
		kill()
		k.Stdout.Close()
		return nil, unstarted(dir, err, tail.Secrets)
	}
	return k, nil
}

// unstarted says why a program could not be started in a folder, and what to change.
func unstarted(dir string, err error, secrets secret.Set) error {
	if info, wrong := os.Stat(dir); dir != "" && !errors.Is(err, exec.ErrNotFound) && (wrong != nil || !info.IsDir()) {
		return fmt.Errorf("the working directory %q does not exist", dir)
	}
	return errors.New(secrets.Scrub(err.Error()) + Want(err))
}

// live starts the program and waits until it has ended.
func (k *Kept) live(started chan<- error) {
	// On Linux the program is killed when the thread that started it ends. The thread is
	// locked so that it outlives the program, unless this process itself ends.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	defer k.Kill()
	err := Start(k.cmd)
	started <- err
	if err != nil {
		return
	}
	if err = k.cmd.Wait(); !errors.Is(err, exec.ErrWaitDelay) {
		k.Err = err
	}
	_ = Kill(k.cmd) // the children that it left behind
	k.Tail.End()
	close(k.Gone)
}

// Ask asks the program to end, without waiting: its input is closed, and a signal sent where
// there are signals.
func (k *Kept) Ask() {
	k.Stdin.Close()
	k.ask.Do(func() {
		if !k.Ended(0) { // else its process ID may have been reused
			terminate(k.cmd)
		}
	})
}

// Close closes the input of the program. If it does not end within patience it is asked to,
// and then killed.
func (k *Kept) Close(patience time.Duration) {
	k.Stdin.Close()
	if !k.Ended(patience) {
		if k.Ask(); !k.Ended(patience) {
			k.Kill()
		}
	}
	<-k.Gone
}

// Ended reports whether the program ends within d.
func (k *Kept) Ended(d time.Duration) bool {
	select {
	case <-k.Gone:
	case <-time.After(d):
	}
	select {
	case <-k.Gone:
		return true
	default:
		return false
	}
}
