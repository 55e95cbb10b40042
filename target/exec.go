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
	"github.com/assay-eval/assay/target/reply"
	"github.com/assay-eval/assay/target/template"
)

// ExecConfig says which command answers questions: one JSON object a line on its
// standard input, one a line on its standard output, until its input ends.
type ExecConfig struct {
	Command []string
	Dir     string
	// Env is added to the environment of this process.
	Env []string
	// Send is the line as a decoded JSON value with placeholders, {{seq}} among
	// them; nil sends {"seq", "id", "question", "top_k", "metadata"}.
	Send any
	// Read says where the parts of a reply are; empty looks for a known shape.
	Read   reply.Mapping
	Values map[string]any
	TopK   int
	// Processes is how many are kept running; below 1 it is 1. Each answers one
	// question at a time, unless Pipelined.
	Processes int
	// Pipelined sends a process questions before earlier ones are answered; its
	// replies repeat "seq" and may come in any order.
	Pipelined bool
	// Stderr gets what the command writes there; nil keeps the last lines for
	// messages only.
	Stderr io.Writer
	// Start bounds the time until a process that announces itself with a line
	// {"ready": true} has done so; 0 means that it announces nothing.
	Start   time.Duration
	Secrets secret.Set
	// Now times a reply from the line that asked for it; nil times nothing.
	Now func() time.Time
}

// execGrace is how long a process may take to end by itself when its input is
// closed, or when it has closed its output.
const execGrace = 2 * time.Second

// Exec is a target that is a command. It is safe for concurrent use.
type Exec struct {
	cfg  ExecConfig
	send *template.Template // nil sends the usual line
	// python is set when the command is assay's own shim.
	python *execPython
	slots  []*execSlot
	free   chan *execSlot // those that may be asked; nil when pipelined
	seq    atomic.Uint64
	stop   chan struct{} // closed by Close
	stderr sync.Mutex    // processes share one writer

	mu       sync.Mutex
	closed   bool
	versions map[string]string
	notes    []string // for the next response
	noisy    bool     // lines that are no JSON were told
}

// An execSlot holds one process, started when it is needed.
type execSlot struct {
	mu sync.Mutex
	p  *execProcess
}

// NewExec checks the configuration; the command is started with the first case.
func NewExec(c ExecConfig) (*Exec, error) { return newExec(c, nil) }

func newExec(c ExecConfig, python *execPython) (*Exec, error) {
	if python == nil && (len(c.Command) == 0 || strings.TrimSpace(c.Command[0]) == "") {
		return nil, errors.New(`no command: want one such as ["python3", "rag.py"]`)
	}
	if i := slices.IndexFunc(c.Command, func(arg string) bool { return strings.ContainsRune(arg, 0) }); i >= 0 {
		return nil, fmt.Errorf("command: argument %d, %q, holds a zero byte", i, c.Command[i])
	}
	for _, one := range c.Env {
		if name, _, ok := strings.Cut(one, "="); !ok || name == "" {
			return nil, fmt.Errorf("env: %q: want NAME=value", name)
		}
	}
	if c.Start < 0 {
		return nil, fmt.Errorf("start %v: want 0 or more", c.Start)
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
			return nil, errors.New(`send: want an object, such as {"question": "{{question}}"}`)
		}
		if c.Pipelined && python == nil && !slices.Contains(names, execSeq) {
			return nil, errors.New(`send: no {{seq}}, by which the replies of a pipelined command are told apart: want "seq": "{{seq}}"`)
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

// Open starts a process and waits until it is ready, so that a first question is
// not late. A target that is not opened starts by itself.
func (e *Exec) Open(ctx context.Context) error {
	slot, err := e.take(ctx, 0)
	if err != nil {
		return err
	}
	defer e.release(slot)
	_, err = e.ready(ctx, slot)
	return err
}

// Versions are what the process said of itself when it announced that it was
// ready, such as "langchain": "1.4.7"; empty before that. The names are the
// process's own.
func (e *Exec) Versions() map[string]string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return maps.Clone(e.versions)
}

// Ask asks the command one question. A process that ends while it is asked is
// started again with the next question. When ctx ends first, a process that
// answers one question at a time is killed, as it cannot be told; a pipelined
// one has its late reply dropped, and is killed when that happens again before it
// has answered anything.
func (e *Exec) Ask(ctx context.Context, c *assay.Case) (assay.Response, error) {
	if err := cancelled(ctx); err != nil {
		return assay.Response{}, err
	}
	seq := e.seq.Add(1)
	line, err := e.line(seq, c)
	if err != nil {
		return assay.Response{}, err
	}
	slot, err := e.take(ctx, seq)
	if err != nil {
		return assay.Response{}, err
	}
	defer e.release(slot)
	p, err := e.ready(ctx, slot)
	if err != nil {
		return assay.Response{}, err
	}
	show(ctx, func(x *Exchange) { x.Sent = e.cfg.Secrets.Scrub(strings.TrimSuffix(string(line), "\n")) })
	var start time.Time
	if e.cfg.Now != nil {
		start = e.cfg.Now()
	}
	got := p.ask(ctx, seq, line)
	var took time.Duration
	if e.cfg.Now != nil {
		took = e.cfg.Now().Sub(start)
	}
	show(ctx, func(x *Exchange) {
		x.Received = execCut(string(got.raw), maxExecShown)
		if tail := p.tail.String(); tail != "" {
			x.Notes = append(x.Notes, "stderr: "+tail)
		}
	})
	if got.err != nil {
		return assay.Response{}, got.err
	}
	resp, err := e.read(ctx, got.value)
	if err != nil {
		return assay.Response{}, err
	}
	if resp.Latency == 0 {
		resp.Latency = max(took, 0)
	}
	resp.Warnings = append(resp.Warnings, e.remarks(p)...)
	return resp, nil
}

// Close ends the command: its input is closed, and it is killed, with what it
// started, when it does not end by itself within two seconds.
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

// take returns a process's slot: a free one, or when pipelined the turn's.
func (e *Exec) take(ctx context.Context, seq uint64) (*execSlot, error) {
	if e.free == nil {
		return e.slots[seq%uint64(len(e.slots))], nil
	}
	select {
	case s := <-e.free:
		return s, nil
	case <-e.stop:
		return nil, errExecClosed()
	case <-ctx.Done():
		return nil, execLate(ctx, "no process of the command became free", "")
	}
}

func (e *Exec) release(s *execSlot) {
	if e.free != nil {
		e.free <- s
	}
}

// ready returns the slot's process when it can be asked, and starts one where
// there is none.
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
		// It goes on starting: a model that takes a minute to load is there
		// for a later question.
		return nil, execLate(ctx, fmt.Sprintf("the command %s is still starting: it has not said {\"ready\": true}", e.command()), p.says())
	}
	if versions := p.announced(); len(versions) > 0 {
		e.mu.Lock()
		maps.Copy(e.versions, versions)
		e.mu.Unlock()
	}
	return p, nil
}

func (e *Exec) process(ctx context.Context, s *execSlot) (*execProcess, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.p != nil && s.p.usable() {
		return s.p, nil
	}
	if s.p != nil {
		// What it held, such as a port or a lock, is free only then.
		select {
		case <-s.p.gone:
		case <-ctx.Done():
			return nil, execLate(ctx, "the command that was killed has not ended", "")
		}
	}
	// Looked at under the slot's lock, which Close takes after it set this.
	e.mu.Lock()
	closed := e.closed
	e.mu.Unlock()
	if closed {
		return nil, errExecClosed()
	}
	p, err := startExec(e)
	if err != nil {
		return nil, err
	}
	s.p = p
	return p, nil
}

// command is how messages call the command.
func (e *Exec) command() string {
	if e.python != nil {
		return e.python.name
	}
	return e.cfg.Secrets.Scrub(fmt.Sprintf("%q", e.cfg.Command))
}

// note keeps a remark for the next response.
func (e *Exec) note(text string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if !slices.Contains(e.notes, text) {
		e.notes = append(e.notes, text)
	}
}

// remarks returns what a user should know beside a response, each once.
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
		out = append(out, fmt.Sprintf("%d %s on the command's standard output %s no JSON and %s ignored, the first %q: want prints on standard error", n, lines, were, were, first))
	}
	return out
}

func errExecClosed() *Error {
	return &Error{Kind: Refused, Err: errors.New("the target is closed")}
}

// execLate is the error of a call whose context ended; says is what follows.
func execLate(ctx context.Context, what, says string) *Error {
	return &Error{Kind: Timeout, Again: errors.Is(ctx.Err(), context.DeadlineExceeded), Err: fmt.Errorf("%s: %w%s", what, ctx.Err(), says)}
}
