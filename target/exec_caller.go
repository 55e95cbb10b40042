package target

import (
	"context"
	"errors"
	"io"
	"sync/atomic"
)

// A Caller is the program that started this one. It answers questions that it reads from
// Questions with lines that it writes to Replies, as a command does on its standard input
// and output, so a function of a running program can be a target. A Caller serves one
// target.
type Caller struct {
	Replies   io.Reader
	Questions io.WriteCloser
	begun     atomic.Bool
}

// call makes p the conversation with the calling program.
func (p *execProcess) call(c *Caller) error {
	if c.begun.Swap(true) {
		return p.e.lost(errCallerGone)
	}
	ctx, kill := context.WithCancel(context.Background())
	p.stdin, p.kill = c.Questions, kill
	eof := make(chan struct{})
	go p.listen(c.Replies, eof)
	go p.talk()
	begin := p.begin()
	go func() {
		// A read of standard input cannot be ended, so a conversation that is broken off
		// leaves its reader behind.
		select {
		case <-eof:
		case <-ctx.Done():
		}
		begin.Stop()
		p.end(nil)
		p.kill()
	}()
	return nil
}

var errCallerGone = errors.New("the program that started assay has ended its replies: expected a reply to each line until its input ends")

// A lostError ends the run: nothing can start the calling program again, so no case can
// be asked any more.
type lostError struct{ error }

// Fatal reports that the run ends.
func (lostError) Fatal() bool { return true }

func (e lostError) Unwrap() error { return e.error }

// lost makes an error that ends the run of one after which the calling program cannot
// answer; a command is started again, and its error stays what it is.
func (e *Exec) lost(err error) *Error {
	known := &Error{Kind: Crash, Err: err}
	errors.As(err, &known)
	if e.cfg.Caller != nil {
		known = &Error{Kind: known.Kind, Err: lostError{err}}
	}
	return known
}
