package target

import (
	"context"
	"fmt"
	"io"
	"maps"
	"sync"
	"time"

	"github.com/assay-eval/assay/internal/process"
)

// An execProcess is one running command, or the calling program, with its open questions.
type execProcess struct {
	e     *Exec
	kept  *process.Kept // nil for the calling program
	kill  context.CancelFunc
	stdin io.WriteCloser
	lines chan []byte // to be written to stdin
	tail  process.Tail
	ready chan struct{} // closed once the process accepts questions
	gone  chan struct{} // closed once the process and its children have ended

	mu       sync.Mutex
	open     map[uint64]chan execReply // the open questions; each channel holds one
	late     map[uint64]bool           // abandoned questions: their replies are dropped
	replies  int
	silent   int  // value of replies when a question was last abandoned; -1 if none was
	ended    bool // killed, broken or gone: gets no further question
	refused  *Error
	crashed  *Error
	versions map[string]string
	junk     int    // number of lines that are not JSON objects
	first    string // the first of them
	inStep   bool   // a reply has repeated its seq
	// held is a reply that is delivered unless another one follows at once: if a
	// process replies twice, the second reply must not be taken for the next
	// question's.
	held    *execReply
	heldSeq uint64
}

// An execReply is a reply line, or the error that stands for it.
type execReply struct {
	value map[string]any
	raw   []byte
	err   *Error
}

// startExec starts the command.
func startExec(e *Exec) (*execProcess, error) {
	p := &execProcess{
		e: e, lines: make(chan []byte), ready: make(chan struct{}), gone: make(chan struct{}),
		open: map[uint64]chan execReply{}, late: map[uint64]bool{}, versions: map[string]string{}, silent: -1,
	}
	if e.cfg.Caller != nil {
		return p, p.call(e.cfg.Caller)
	}
	command := e.cfg.Command
	if e.python != nil {
		command = e.python.command
	}
	p.tail.To, p.tail.Out, p.tail.Secrets = e.cfg.Stderr, &e.stderr, e.cfg.Secrets
	var err error
	if p.kept, err = process.Keep(command, e.cfg.Dir, e.cfg.Env, &p.tail); err != nil {
		// A retry would fail in the same way.
		return nil, &Error{Kind: Refused, Err: fmt.Errorf("the command %s cannot be started: %w", e.command(), err)}
	}
	p.stdin, p.kill = p.kept.Stdin, p.kept.Kill
	go p.live()
	return p, nil
}

// live speaks with the process until it has ended.
func (p *execProcess) live() {
	eof := make(chan struct{})
	go p.listen(p.kept.Stdout, eof)
	go p.talk()
	begin := p.begin()
	<-p.kept.Gone
	begin.Stop()
	// Another program may still hold the output open; do not wait for it.
	cutOff := time.AfterFunc(execGrace, func() { p.kept.Stdout.Close() })
	<-eof
	cutOff.Stop()
	p.kept.Stdout.Close()
	p.end(p.kept.Err)
}

// begin marks the process as ready at once, or starts the timer for its ready line.
func (p *execProcess) begin() *time.Timer {
	start := p.e.cfg.Start
	if start == 0 {
		close(p.ready)
	}
	return time.AfterFunc(start, func() {
		p.refuse(&Error{Kind: Refused, Err: fmt.Errorf("the command %s has not written {\"ready\": true} within %v%s", p.e.command(),
			start, p.says())})
	})
}

// refuse ends a process that did not become ready.
func (p *execProcess) refuse(why *Error) {
	p.mu.Lock()
	select {
	case <-p.ready:
		p.mu.Unlock()
		return
	default:
	}
	if p.refused == nil {
		p.refused = p.e.lost(why)
	}
	p.ended = true
	p.mu.Unlock()
	p.kill()
}

// refusal returns why the process never became ready; nil if it did.
func (p *execProcess) refusal() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	select {
	case <-p.ready:
		return nil
	default:
	}
	if p.refused != nil {
		return p.refused
	}
	return &Error{Kind: Refused, Again: true, Err: p.crashed}
}

func (p *execProcess) usable() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return !p.ended
}

func (p *execProcess) announced() map[string]string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return maps.Clone(p.versions)
}

func (p *execProcess) noise() (int, string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.junk, p.first
}

// says quotes output of the process that is not a reply, for a message.
func (p *execProcess) says() string {
	s := ""
	if n, first := p.noise(); n > 0 {
		s += fmt.Sprintf("; on stdout it wrote %q, which is not a JSON object", first)
	}
	return s + p.tail.Says()
}

// ask sends a line and waits for its reply.
func (p *execProcess) ask(ctx context.Context, seq uint64, line []byte) execReply {
	p.mu.Lock()
	answered := make(chan execReply, 1)
	if p.ended && p.crashed != nil {
		p.mu.Unlock()
		return execReply{err: p.crashed}
	}
	p.open[seq] = answered
	p.mu.Unlock()
	lines := p.lines
	for {
		select {
		case lines <- line:
			lines = nil // sent
		case r := <-answered:
			return r
		case <-ctx.Done():
			p.giveUp(seq)
			what, says := "the command gave no reply", p.says()
			if p.e.python != nil || p.kept == nil {
				what = "the target has not returned"
			} else if says == "" {
				says = "; a reply is one line, terminated and flushed"
			}
			return execReply{err: execLate(ctx, what, says)}
		}
	}
}

// giveUp abandons a question whose caller has stopped waiting.
func (p *execProcess) giveUp(seq uint64) {
	p.mu.Lock()
	delete(p.open, seq)
	p.late[seq] = true
	// A pipelined process may just be slow with this question, and restarting it would
	// load its model again. Two timeouts without a reply between them mean that it
	// hangs.
	// The calling program cannot be restarted.
	hangs := p.kept != nil && (!p.e.cfg.Pipelined || len(p.open) == 0 && p.silent == p.replies)
	p.silent = p.replies
	if hangs {
		p.ended = true
	}
	p.mu.Unlock()
	if hangs {
		p.kill()
	}
}

// talk writes lines until the process is gone.
func (p *execProcess) talk() {
	if p.e.python != nil {
		if _, err := p.stdin.Write(p.e.python.hello); err != nil {
			p.abandon()
			return
		}
	}
	for {
		select {
		case line := <-p.lines:
			if _, err := p.stdin.Write(line); err != nil {
				// It has stopped reading, so it cannot answer.
				p.abandon()
				return
			}
		case <-p.gone:
			return
		}
	}
}

// abandon kills a process that is no longer usable.
func (p *execProcess) abandon() {
	p.mu.Lock()
	p.ended = true
	p.mu.Unlock()
	p.kill()
}

// end tells all waiting callers that the process is gone.
func (p *execProcess) end(err error) {
	status, says := "exit status 0", p.says()
	if err != nil {
		status = err.Error()
	} else if says == "" && p.kept != nil {
		says = ": it must answer each line until its input ends"
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.ended = true
	p.crashed = Errorf(Crash, "the command %s ended without a reply (%s)%s", p.e.command(), status, says)
	if p.kept == nil {
		p.crashed = p.e.lost(fmt.Errorf("%w%s", errCallerGone, says))
	}
	for seq, answered := range p.open {
		delete(p.open, seq)
		answered <- execReply{err: p.crashed}
	}
	close(p.gone)
}

// close closes the input, waits, and ends the process.
func (p *execProcess) close() {
	if p.kept != nil {
		p.kept.Close(execGrace / 2)
	}
	p.stdin.Close()
	select {
	case <-p.gone:
	case <-time.After(execGrace):
		p.abandon()
		<-p.gone
	}
}
