package target

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"runtime"
	"sync"
	"time"

	"github.com/assay-eval/assay/internal/process"
)

// An execProcess is one running command, or the calling program, with its open questions.
type execProcess struct {
	e     *Exec
	cmd   *exec.Cmd // nil for the calling program
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
	ctx, kill := context.WithCancel(context.Background())
	command := e.cfg.Command
	if e.python != nil {
		command = e.python.command
	}
	p := &execProcess{
		e: e, kill: kill, lines: make(chan []byte), ready: make(chan struct{}), gone: make(chan struct{}),
		open: map[uint64]chan execReply{}, late: map[uint64]bool{}, versions: map[string]string{}, silent: -1,
	}
	if e.cfg.Caller != nil {
		if err := p.call(ctx, e.cfg.Caller); err != nil {
			kill()
			return nil, err
		}
		return p, nil
	}
	p.tail.To, p.tail.Out, p.tail.Secrets = e.cfg.Stderr, &e.stderr, e.cfg.Secrets
	p.cmd = exec.CommandContext(ctx, command[0], command[1:]...)
	p.cmd.Dir, p.cmd.Stderr, p.cmd.WaitDelay = e.cfg.Dir, &p.tail, execGrace
	p.cmd.Cancel = func() error { return process.Kill(p.cmd) }
	if len(e.cfg.Env) > 0 {
		p.cmd.Env = append(os.Environ(), e.cfg.Env...)
	}
	stdout, theirs, err := os.Pipe()
	if err != nil {
		kill()
		return nil, Errorf(Refused, "command %s: %w", e.command(), err)
	}
	if p.stdin, err = p.cmd.StdinPipe(); err != nil {
		kill()
		stdout.Close()
		theirs.Close()
		return nil, Errorf(Refused, "command %s: %w", e.command(), err)
	}
	p.cmd.Stdout = theirs
	started := make(chan error, 1)
	go p.live(stdout, theirs, started)
	if err := <-started; err != nil {
		return nil, execRefused(e, err)
	}
	return p, nil
}

// execRefused describes why a command cannot be started, and what to change.
func execRefused(e *Exec, err error) *Error {
	want := process.Want(err)
	if !errors.Is(err, exec.ErrNotFound) && e.cfg.Dir != "" && execNoDir(e.cfg.Dir) {
		want = fmt.Sprintf(": the working directory %q does not exist", e.cfg.Dir)
	}
	cause := e.cfg.Secrets.Scrub(err.Error())
	// A retry would fail in the same way.
	return &Error{Kind: Refused, Err: fmt.Errorf("the command %s cannot be started: %s%s", e.command(), cause, want)}
}

func execNoDir(dir string) bool {
	info, err := os.Stat(dir)
	return err != nil || !info.IsDir()
}

// live starts the process and waits until it ends.
func (p *execProcess) live(stdout, theirs *os.File, started chan<- error) {
	// On Linux the process is killed when the thread that started it ends. The thread
	// is locked so that it outlives the process, unless assay itself ends.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	defer p.kill()
	err := process.Start(p.cmd)
	theirs.Close()
	if err != nil {
		stdout.Close()
		started <- err
		return
	}
	started <- nil
	eof := make(chan struct{})
	go p.listen(stdout, eof)
	go p.talk()
	begin := p.begin()
	err = p.cmd.Wait()
	if begin != nil {
		begin.Stop()
	}
	// Children that the process left behind are killed too.
	_ = process.Kill(p.cmd)
	// Another program may still hold the output open; do not wait for it.
	cutOff := time.AfterFunc(execGrace, func() { stdout.Close() })
	<-eof
	cutOff.Stop()
	stdout.Close()
	p.tail.End()
	p.end(err)
}

// begin marks the process as ready at once, or starts the timer for its ready line.
func (p *execProcess) begin() *time.Timer {
	if p.e.cfg.Start == 0 {
		close(p.ready)
		return nil
	}
	return time.AfterFunc(p.e.cfg.Start, func() {
		p.refuse(&Error{Kind: Refused, Err: fmt.Errorf("the command %s has not written {\"ready\": true} within %v%s", p.e.command(),
			p.e.cfg.Start, p.says())})
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
	if tail := p.tail.String(); tail != "" {
		s += "; stderr: " + tail
	}
	return s
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
			says := p.says()
			if says == "" && p.e.python == nil {
				says = "; a reply is one line, terminated and flushed"
			}
			return execReply{err: execLate(ctx, "the command gave no reply", says)}
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
	hangs := p.cmd != nil && (!p.e.cfg.Pipelined || len(p.open) == 0 && p.silent == p.replies)
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
	status := "exit status 0"
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit):
		status = exit.Error()
	case err != nil && !errors.Is(err, exec.ErrWaitDelay):
		status = err.Error()
	}
	says := p.says()
	if status == "exit status 0" && says == "" && p.cmd != nil {
		says = ": want it to answer each line until its input ends"
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.ended = true
	p.crashed = Errorf(Crash, "the command %s ended without a reply (%s)%s", p.e.command(), status, says)
	if p.cmd == nil {
		p.crashed = p.e.lost(fmt.Errorf("%w%s", errCallerGone, says))
	}
	for seq, answered := range p.open {
		delete(p.open, seq)
		answered <- execReply{err: p.crashed}
	}
	close(p.gone)
}

// close closes the input, waits, and kills the process.
func (p *execProcess) close() {
	p.stdin.Close()
	timer := time.NewTimer(execGrace)
	defer timer.Stop()
	select {
	case <-p.gone:
	case <-timer.C:
		p.abandon()
		<-p.gone
	}
}
