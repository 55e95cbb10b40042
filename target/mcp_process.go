package target

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"

	"github.com/assay-eval/assay/internal/process"
	"github.com/assay-eval/assay/internal/text"
)

// mcpMaxMessage bounds a message of a server, in bytes.
const mcpMaxMessage = 16 << 20

// An mcpProcess is a server that was started as a command.
type mcpProcess struct {
	cmd  *exec.Cmd
	in   *mcpStdin
	out  *mcpStdout
	tail process.Tail
	// exited is closed when the process has ended and what it said is known; err
	// then says how it ended.
	exited chan struct{}
	err    error
	asked  sync.Once
}

// start starts the command.
func (m *MCP) start() (*mcpProcess, error) {
	name := m.cfg.Command[0]
	refused := func(again bool, err error) error {
		if m.cfg.Dir != "" && execNoDir(m.cfg.Dir) {
			again, err = false, fmt.Errorf("there is no folder %q to start it in", m.cfg.Dir)
		}
		return &Error{Kind: Refused, Again: again, Err: fmt.Errorf("mcp: command %q: %w", name, err)}
	}
	cmd := exec.Command(name, m.cfg.Command[1:]...) //nolint:noctx // it outlives the call that starts it; finish ends it
	cmd.Dir, cmd.Env = m.cfg.Dir, append(os.Environ(), m.cfg.Env...)
	process.Group(cmd)
	p := &mcpProcess{cmd: cmd, exited: make(chan struct{})}
	p.tail.To, p.tail.Out, p.tail.Secrets = m.cfg.Stderr, &m.stderr, m.cfg.Secrets
	cmd.Stderr = &p.tail
	// A child of the command may keep its output open.
	cmd.WaitDelay = mcpImpatience
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, refused(true, err)
	}
	// A pipe of our own: that of the library is closed when the process ends,
	// with what was not read.
	r, w, err := os.Pipe()
	if err != nil {
		in.Close()
		return nil, refused(true, err)
	}
	cmd.Stdout = w
	err = cmd.Start()
	w.Close()
	if err != nil {
		in.Close()
		r.Close()
		return nil, refused(!errors.Is(err, exec.ErrNotFound) && !errors.Is(err, os.ErrNotExist), err)
	}
	p.in = &mcpStdin{to: in}
	p.out = &mcpStdout{file: r, lines: bufio.NewReaderSize(r, 64<<10), noise: &p.tail}
	m.ending.Go(func() {
		p.err = cmd.Wait()
		// What it started may live on, and keep its output open.
		_ = process.Kill(cmd) // it may have ended
		p.tail.End()
		close(p.exited)
	})
	return p, nil
}

// ask asks the process to end, without waiting for it.
func (p *mcpProcess) ask() {
	p.in.end()
	p.asked.Do(func() {
		select {
		case <-p.exited: // another process may have its number by now
		default:
			mcpTerminate(p.cmd)
		}
	})
}

// finish closes the input of the process, as the protocol wants it to be told
// that it is not needed any more, asks it to end when it does not within
// patience, and kills it when it does not end then.
func (p *mcpProcess) finish(patience time.Duration) {
	p.in.end()
	if !p.within(patience) {
		if p.ask(); !p.within(patience) {
			_ = process.Kill(p.cmd) // it may have ended just now
		}
	}
	<-p.exited
	p.out.file.Close()
}

// within reports whether the process ends in time.
func (p *mcpProcess) within(d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-p.exited:
		return true
	case <-t.C:
		return false
	}
}

// fate says how the process ended, and what it said last.
func (p *mcpProcess) fate() string {
	said := "the server closed its output"
	// Its output closes a moment before it ends.
	if p.within(mcpImpatience) {
		said = "the server ended"
		if p.err != nil && !errors.Is(p.err, exec.ErrWaitDelay) {
			said += ": " + p.err.Error()
		}
	}
	return said + p.said()
}

// mcpStdin is the standard input of a server.
type mcpStdin struct {
	to   io.WriteCloser
	once sync.Once
}

func (w *mcpStdin) Write(b []byte) (int, error) { return w.to.Write(b) }

func (w *mcpStdin) Close() error {
	w.end()
	return nil
}

func (w *mcpStdin) end() { w.once.Do(func() { _ = w.to.Close() }) } // the server may have closed it

// mcpStdout reads the messages from the standard output of a server. Servers
// print what is none: greetings, logs. It is kept with what they write to their
// standard error, and skipped.
type mcpStdout struct {
	file  *os.File
	lines *bufio.Reader
	noise *process.Tail
	rest  []byte

	mu    sync.Mutex
	skips string
}

func (r *mcpStdout) Read(b []byte) (int, error) {
	for len(r.rest) == 0 {
		line, err := mcpLine(r.lines)
		if mcpIsMessage(line) {
			r.rest = line
			break
		}
		if line = bytes.TrimSpace(line); len(line) > 0 {
			r.skip(line)
		}
		if err != nil {
			return 0, err
		}
	}
	n := copy(b, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}

// Close does nothing: a server whose output is closed before it has ended would
// be killed by what it still writes. The process closes it.
func (r *mcpStdout) Close() error { return nil }

func (r *mcpStdout) skip(line []byte) {
	r.mu.Lock()
	if r.skips == "" {
		r.skips = text.Shorten(r.noise.Secrets.Scrub(strings.ToValidUTF8(string(line), "\uFFFD")), mcpLineShown)
	}
	r.mu.Unlock()
	r.noise.Add(line[:min(len(line), 64<<10)])
}

// first is the first line that was skipped; "" when there was none.
func (r *mcpStdout) first() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.skips
}

// mcpLine returns the next line, with its end.
func mcpLine(r *bufio.Reader) ([]byte, error) {
	var line []byte
	for {
		part, err := r.ReadSlice('\n')
		if len(line)+len(part) > mcpMaxMessage {
			return nil, fmt.Errorf("a line on the server's output is longer than %d bytes", mcpMaxMessage)
		}
		line = append(line, part...)
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, err
		}
	}
}

// mcpIsMessage tells a message, or a batch of them, from everything else.
func mcpIsMessage(line []byte) bool {
	line = bytes.TrimSpace(line)
	if bytes.HasPrefix(line, []byte("[")) {
		var batch []struct {
			Version string `json:"jsonrpc"`
		}
		return json.Unmarshal(line, &batch) == nil && len(batch) > 0 && batch[0].Version != ""
	}
	var one struct {
		Version string `json:"jsonrpc"`
	}
	return bytes.HasPrefix(line, []byte("{")) && json.Unmarshal(line, &one) == nil && one.Version != ""
}

// mcpLineShown bounds, in characters, how much of a line of a server is told.
const mcpLineShown = 300

// said gives the last lines of a server's standard error, for the end of a
// message.
func (p *mcpProcess) said() string {
	var lines []string
	for _, line := range p.tail.Lines() {
		if line = text.Collapse(text.Visible(line)); line != "" {
			lines = append(lines, text.Shorten(line, mcpLineShown))
		}
	}
	if lines == nil {
		return ""
	}
	return "; it said: " + strings.Join(lines, " | ")
}
