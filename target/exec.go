package target

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/secret"
	"github.com/assay-eval/assay/internal/text"
	"github.com/assay-eval/assay/target/reply"
	"github.com/assay-eval/assay/target/template"
)

// ExecConfig describes a command that answers questions: it reads one JSON object per
// line from standard input and writes one per line to standard output, until its input
// ends.
type ExecConfig struct {
	Command []string
	// Caller, if it is not nil, answers in place of a command: the program that started
	// this one. Command, Dir, Env and Processes are ignored, and Pipelined is implied.
	Caller *Caller
	Dir    string
	// Env is appended to the environment of this process.
	Env []string
	// Send is the request line as a decoded JSON value with placeholders, including
	// {{seq}}; nil sends {"seq", "id", "question", "top_k", "metadata"}.
	Send any
	// Read maps the parts of a reply to paths; empty detects a known shape.
	Read   reply.Mapping
	Values map[string]any
	TopK   int
	// Processes is the number of processes that are kept running; below 1 means 1. Each
	// answers one question at a time, unless Pipelined.
	Processes int
	// Pipelined sends further questions to a process before earlier ones are answered;
	// its replies repeat "seq" and may come in any order.
	Pipelined bool
	// Stderr receives the command's standard error; nil keeps only the last lines, for
	// error messages.
	Stderr io.Writer
	// Start bounds the time until a process has written the line {"ready": true}; 0
	// means that the process does not write such a line.
	Start   time.Duration
	Secrets secret.Set
	// Now is the clock that measures latency, from the request line to the reply; nil
	// measures nothing.
	Now func() time.Time
}

// execGrace is how long a process may take to exit after its input was closed, or after
// it closed its output.
const execGrace = 2 * time.Second

// Exec is a target that is a command. It is safe for concurrent use.
type Exec struct {
	cfg  ExecConfig
	send *template.Template // nil sends the default line
	// python is set if the command is the embedded Python shim.
	python *execPython
	slots  []*execSlot
	free   chan *execSlot // slots that are idle; nil if pipelined
	seq    atomic.Uint64
	stop   chan struct{} // closed by Close
	stderr sync.Mutex    // processes share one writer

	mu       sync.Mutex
	closed   bool
	versions map[string]string
	notes    []string // warnings for the next response
	noisy    bool     // the warning about lines that are not JSON was given
}

// An execSlot holds one process, which is started on demand.
type execSlot struct {
	mu sync.Mutex
	p  *execProcess
}

// NewExec checks the configuration. The command is started with the first case.
func NewExec(c ExecConfig) (*Exec, error) { return newExec(c, nil) }

func newExec(c ExecConfig, python *execPython) (*Exec, error) {
	if c.Caller != nil {
		c.Command, c.Pipelined, c.Processes = nil, true, 1
	} else if python == nil && (len(c.Command) == 0 || strings.TrimSpace(c.Command[0]) == "") {
		return nil, errors.New(`no command: expected one such as ["python3", "rag.py"]`)
	}
	if i := slices.IndexFunc(c.Command, func(arg string) bool { return strings.ContainsRune(arg, 0) }); i >= 0 {
		return nil, fmt.Errorf("command: argument %d, %q, contains a zero byte", i, c.Command[i])
	}
	for _, one := range c.Env {
		if name, _, ok := strings.Cut(one, "="); !ok || name == "" {
			return nil, fmt.Errorf("env: %q: expected NAME=value", name)
		}
	}
	if c.Start < 0 {
		return nil, fmt.Errorf("start %v: expected 0 or more", c.Start)
	}
	var names []string
	e := &Exec{cfg: c, python: python, stop: make(chan struct{}), versions: map[string]string{}}
	if c.Send != nil {
		var err error
		if e.send, err = template.Parse(c.Send); err != nil {
			return nil, fmt.Errorf("send: %w", err)
		}
		names = e.send.Names()
		if _, object := c.Send.(map[string]any); !object && python == nil {
			return nil, errors.New(`send: expected an object, such as {"question": "{{question}}"}`)
		}
		if c.Pipelined && python == nil && !slices.Contains(names, execSeq) {
			return nil, errors.New(`send: no {{seq}}, which identifies the replies of a pipelined command: expected "seq": "{{seq}}"`)
		}
	}
	if err := checkValues(c.Values, names, execSeq); err != nil {
		return nil, fmt.Errorf("send: %w", err)
	}
	for range max(c.Processes, 1) {
		e.slots = append(e.slots, new(execSlot))
	}
	if !c.Pipelined {
		e.free = make(chan *execSlot, len(e.slots))
		for _, s := range e.slots {
			e.free <- s
		}
	}
	return e, nil
}

// Open starts a process and waits until it is ready, so that the first question does
// not pay for the start. Without Open the first question starts the process.
func (e *Exec) Open(ctx context.Context) error {
	slot, err := e.take(ctx, 0)
	if err != nil {
		return err
	}
	defer e.release(slot)
	_, err = e.ready(ctx, slot)
	return err
}

// Versions returns the versions that the process reported in its ready line, such as
// "langchain": "1.4.7"; empty before that. The process chooses the names.
func (e *Exec) Versions() map[string]string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return maps.Clone(e.versions)
}

// Ask asks the command one question. A process that exits during a question is
// restarted for the next one. If ctx ends first, a process that answers one question at
// a time is killed, since it cannot be told to stop; for a pipelined process the late
// reply is dropped, and the process is killed if a second question times out before it
// has answered any other.
func (e *Exec) Ask(ctx context.Context, c *assay.Case) (assay.Response, error) {
	if err := cancelled(ctx); err != nil {
		return assay.Response{}, err
	}
	seq := e.seq.Add(1)
	line, err := e.line(ctx, seq, c)
	if err != nil {
		return assay.Response{}, err
	}
	slot, p, err := e.claim(ctx, seq)
	if err != nil {
		return assay.Response{}, err
	}
	defer e.release(slot)
	show(ctx, func(x *Exchange) { x.Sent = e.cfg.Secrets.Scrub(strings.TrimSuffix(string(line), "\n")) })
	elapsed := stopwatch(e.cfg.Now)
	got := p.ask(ctx, seq, line)
	took := elapsed()
	e.learn(p)
	show(ctx, func(x *Exchange) {
		x.Received = text.Shorten(string(got.raw), maxExecShown)
		if tail := p.tail.String(); tail != "" {
			x.Notes = append(x.Notes, "stderr: "+tail)
		}
	})
	if got.err != nil {
		return assay.Response{}, got.err
	}
	resp, err := e.read(ctx, got.value)
	if err != nil {
		hide(err, e.cfg.Secrets)
		return resp, err
	}
	if resp.Latency == 0 {
		resp.Latency = max(took, 0)
	}
	resp.Warnings = append(resp.Warnings, e.remarks(p)...)
	return resp, nil
}

// claim takes a slot with a process that accepts questions. The caller releases the slot.
func (e *Exec) claim(ctx context.Context, seq uint64) (*execSlot, *execProcess, error) {
	slot, err := e.take(ctx, seq)
	if err != nil {
		return nil, nil, err
	}
	p, err := e.ready(ctx, slot)
	if err != nil {
		e.release(slot)
		return nil, nil, err
	}
	return slot, p, nil
}

// Call sends the command an object, to which it adds "seq", and returns the object that
// it replies with: for commands that do something other than answer questions. In all else
// it is as [Exec.Ask].
func (e *Exec) Call(ctx context.Context, fields map[string]any) (map[string]any, error) {
	if err := cancelled(ctx); err != nil {
		return nil, err
	}
	seq := e.seq.Add(1)
	sent := maps.Clone(fields)
	sent[execSeq] = seq
	line, err := jsonLine(sent)
	if err != nil {
		return nil, &Error{Kind: Failed, Err: err}
	}
	slot, p, err := e.claim(ctx, seq)
	if err != nil {
		return nil, err
	}
	defer e.release(slot)
	got := p.ask(ctx, seq, line)
	if got.err != nil {
		return nil, got.err
	}
	if _, failure := reply.Failed(got.value); failure != "" {
		return nil, Errorf(Failed, "%s", e.cfg.Secrets.Scrub(failure))
	}
	return got.value, nil
}

// Close closes the input of the processes. A process that does not exit within two
// seconds is killed with its children.
func (e *Exec) Close() error {
	e.mu.Lock()
	was := e.closed
	e.closed = true
	e.mu.Unlock()
	if was {
		return nil
	}
	close(e.stop)
	var wg sync.WaitGroup
	for _, s := range e.slots {
		wg.Go(func() {
			s.mu.Lock()
			defer s.mu.Unlock()
			if s.p != nil {
				s.p.close()
			}
		})
	}
	wg.Wait()
	return nil
}

// take returns a slot: an idle one, or in pipelined mode the next one in turn.
func (e *Exec) take(ctx context.Context, seq uint64) (*execSlot, error) {
	if e.free == nil {
		return e.slots[seq%uint64(len(e.slots))], nil
	}
	select {
	case s := <-e.free:
		return s, nil
	case <-e.stop:
		return nil, errExecClosed
	case <-ctx.Done():
		return nil, execLate(ctx, "no process of the command became available", "")
	}
}

func (e *Exec) release(s *execSlot) {
	if e.free != nil {
		e.free <- s
	}
}

// ready returns the slot's process once it accepts questions, and starts one if there
// is none.
func (e *Exec) ready(ctx context.Context, s *execSlot) (*execProcess, error) {
	p, err := e.process(ctx, s)
	if err != nil {
		return nil, err
	}
	show(ctx, func(x *Exchange) { x.Notes = append(x.Notes, "command: "+e.command()) })
	select {
	case <-p.ready:
	case <-p.gone:
		if err := p.refusal(); err != nil {
			return nil, err
		}
	case <-ctx.Done():
		// The process keeps starting: a model that takes a minute to load is ready for
		// a later question.
		return nil, execLate(ctx, fmt.Sprintf("the command %s is still starting: it has not written {\"ready\": true}", e.command()), p.says())
	}
	e.learn(p)
	return p, nil
}

// learn keeps the versions that a process announced.
func (e *Exec) learn(p *execProcess) {
	versions := p.announced()
	e.mu.Lock()
	defer e.mu.Unlock()
	maps.Copy(e.versions, versions)
}

func (e *Exec) process(ctx context.Context, s *execSlot) (*execProcess, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.p != nil && s.p.usable() {
		return s.p, nil
	}
	if s.p != nil {
		// Its resources, such as a port or a lock, are free only after it has exited.
		select {
		case <-s.p.gone:
		case <-ctx.Done():
			return nil, execLate(ctx, "the killed command has not exited yet", "")
		}
	}
	// Read under the slot's lock, which Close takes after it set this.
	e.mu.Lock()
	closed := e.closed
	e.mu.Unlock()
	if closed {
		return nil, errExecClosed
	}
	p, err := startExec(e)
	if err != nil {
		return nil, err
	}
	s.p = p
	return p, nil
}

// command names the command in messages.
func (e *Exec) command() string {
	if e.cfg.Caller != nil {
		return "that started assay"
	}
	if e.python != nil {
		return e.python.name
	}
	return e.cfg.Secrets.Scrub(fmt.Sprintf("%q", e.cfg.Command))
}

// note keeps a warning for the next response.
func (e *Exec) note(text string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if !slices.Contains(e.notes, text) {
		e.notes = append(e.notes, text)
	}
}

// remarks returns the warnings for a response, each of them once.
func (e *Exec) remarks(p *execProcess) []string {
	n, first := p.noise()
	e.mu.Lock()
	defer e.mu.Unlock()
	out := e.notes
	e.notes = nil
	if n > 0 && !e.noisy {
		e.noisy = true
		lines, were := "lines", "were"
		if n == 1 {
			lines, were = "line", "was"
		}
		out = append(out, fmt.Sprintf("%d %s on the command's standard output %s not JSON and %s ignored, the first %q: print to standard "+
			"error instead", n, lines, were, were, first))
	}
	return out
}

var errExecClosed = &Error{Kind: Refused, Err: errors.New("the target is closed")}

// execLate returns the error of a call whose context ended; says is appended to the
// message.
func execLate(ctx context.Context, what, says string) *Error {
	return &Error{Kind: Timeout, Again: errors.Is(ctx.Err(), context.DeadlineExceeded), Err: fmt.Errorf("%s: %w%s", what, ctx.Err(), says)}
}
