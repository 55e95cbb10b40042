package target

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

	"github.com/assay-eval/assay/internal/process"
)

// An execProcess is one running command with the questions that are open.
type execProcess struct {
	e     *Exec
	cmd   *exec.Cmd
	kill  context.CancelFunc
	stdin io.WriteCloser
	lines chan []byte // on their way to stdin
	tail  process.Tail
	ready chan struct{} // closed when it may be asked
	gone  chan struct{} // closed when nothing of it is left

	mu       sync.Mutex
	open     map[uint64]*execQuestion
	late     map[uint64]bool // given up: their replies are dropped
	replies  int
	silent   int  // replies when a question was last given up; -1 when none was
	ended    bool // killed, broken or gone: not to be asked
	refused  *Error
	crashed  *Error
	versions map[string]string
	junk     int    // lines that are no JSON objects
	first    string // the first of them
	inStep   bool   // a reply has repeated its seq
	// held is a reply that is given when no other follows at once: of a process
	// that replies twice, the second must not become that of the next question.
	held    *execReply
	heldSeq uint64
}

// An execQuestion is one that is open.
type execQuestion struct {
	reply chan execReply // holds one
}

// An execReply is a line that came back, or why there is none.
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
		open: map[uint64]*execQuestion{}, late: map[uint64]bool{}, versions: map[string]string{}, silent: -1,
	}
	p.tail.To, p.tail.Out, p.tail.Secrets = e.cfg.Stderr, &e.stderr, e.cfg.Secrets
	p.cmd = exec.CommandContext(ctx, command[0], command[1:]...)
	p.cmd.Dir, p.cmd.Stderr, p.cmd.WaitDelay = e.cfg.Dir, &p.tail, execGrace
	p.cmd.Cancel = func() error { return process.Kill(p.cmd) }
	if len(e.cfg.Env) > 0 {
		p.cmd.Env = append(os.Environ(), e.cfg.Env...)
	}
	process.Group(p.cmd)
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

// execRefused says what would be right when a command cannot be started.
func execRefused(e *Exec, err error) *Error {
	want := process.Want(err)
	if !errors.Is(err, exec.ErrNotFound) && e.cfg.Dir != "" && execNoDir(e.cfg.Dir) {
		want = fmt.Sprintf(": there is no folder %q to start it in", e.cfg.Dir)
	}
	cause := e.cfg.Secrets.Scrub(err.Error())
	// Trying again would find the same.
	return &Error{Kind: Refused, Err: fmt.Errorf("the command %s cannot be started: %s%s", e.command(), cause, want)}
}

func execNoDir(dir string) bool {
	info, err := os.Stat(dir)
	return err != nil || !info.IsDir()
}

// live starts the process and stays with it to its end.
func (p *execProcess) live(stdout, theirs *os.File, started chan<- error) {
	// On Linux the process is killed when the thread that started it ends: it
	// must outlive the process, and only the process of assay's end can end it.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	defer p.kill()
	err := p.cmd.Start()
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
	// What it has started and left behind goes too.
	_ = process.Kill(p.cmd)
	// Something else may still hold its output: it is not waited for.
	cutOff := time.AfterFunc(execGrace, func() { stdout.Close() })
	<-eof
	cutOff.Stop()
	stdout.Close()
	p.tail.End()
	p.end(err)
}

// begin lets the process be asked at once, or after its announcement.
func (p *execProcess) begin() *time.Timer {
	if p.e.cfg.Start == 0 {
		close(p.ready)
		return nil
	}
	return time.AfterFunc(p.e.cfg.Start, func() {
		p.refuse(&Error{Kind: Refused, Err: fmt.Errorf("the command %s has not said {\"ready\": true} within %v%s", p.e.command(), p.e.cfg.Start, p.says())})
	})
}

// refuse ends a process that has not become ready.
func (p *execProcess) refuse(why *Error) {
	p.mu.Lock()
	select {
	case <-p.ready:
		p.mu.Unlock()
		return
	default:
	}
	if p.refused == nil {
		p.refused = why
	}
	p.ended = true
	p.mu.Unlock()
	p.kill()
}

// refusal is why the process never became ready; nil when it did.
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
	return p.versions
}

func (p *execProcess) noise() (int, string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.junk, p.first
}

// says quotes what the process wrote that was no reply, for a message.
func (p *execProcess) says() string {
	s := ""
	if n, first := p.noise(); n > 0 {
		s += fmt.Sprintf("; on stdout it wrote %q, which is no JSON object", first)
	}
	if tail := p.tail.String(); tail != "" {
		s += "; stderr: " + tail
	}
	return s
}

// ask sends a line and waits for its reply.
func (p *execProcess) ask(ctx context.Context, seq uint64, line []byte) execReply {
	p.mu.Lock()
	q := &execQuestion{reply: make(chan execReply, 1)}
	if p.ended && p.crashed != nil {
		p.mu.Unlock()
		return execReply{err: p.crashed}
	}
	p.open[seq] = q
	p.mu.Unlock()
	lines := p.lines
	for {
		select {
		case lines <- line:
			lines = nil // sent
		case r := <-q.reply:
			return r
		case <-ctx.Done():
			p.giveUp(seq)
			says := p.says()
			if says == "" && p.e.python == nil {
				says = "; a reply is one line, ended and flushed"
			}
			return execReply{err: execLate(ctx, "the command gave no reply", says)}
		}
	}
}

// giveUp closes a question that nobody waits for any more.
func (p *execProcess) giveUp(seq uint64) {
	p.mu.Lock()
	delete(p.open, seq)
	p.late[seq] = true
	// A pipelined process may just be slow with this question, and to load its
	// model again would take longer. One that answers nothing twice hangs.
	hangs := !p.e.cfg.Pipelined || len(p.open) == 0 && p.silent == p.replies
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
				// It reads no more, so that it cannot answer.
				p.abandon()
				return
			}
		case <-p.gone:
			return
		}
	}
}

// abandon kills a process that cannot be used any more.
func (p *execProcess) abandon() {
	p.mu.Lock()
	p.ended = true
	p.mu.Unlock()
	p.kill()
}

// end tells everybody who waits that the process is gone.
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
	if status == "exit status 0" && says == "" {
		says = ": want it to answer line after line until its input ends"
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.ended = true
	p.crashed = Errorf(Crash, "the command %s ended without a reply (%s)%s", p.e.command(), status, says)
	for seq, q := range p.open {
		delete(p.open, seq)
		q.reply <- execReply{err: p.crashed}
	}
	close(p.gone)
}

// close closes the input, waits, and kills.
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
