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

// An mcpProcess is a server that runs as a command.
type mcpProcess struct {
	cmd  *exec.Cmd
	in   io.WriteCloser
	out  *mcpStdout
	tail process.Tail
	// exited is closed once the process has ended and its output is complete; err then
	// says how it ended.
	exited chan struct{}
	err    error
	asked  sync.Once
}

// start starts the command.
func (m *MCP) start() (*mcpProcess, error) {
	name := m.cfg.Command[0]
	refused := func(again bool, err error) error {
		if m.cfg.Dir != "" && execNoDir(m.cfg.Dir) {
			again, err = false, fmt.Errorf("the working directory %q does not exist", m.cfg.Dir)
		}
		return &Error{Kind: Refused, Again: again, Err: fmt.Errorf("mcp: command %q: %w", name, err)}
	}
	cmd := exec.Command(name, m.cfg.Command[1:]...) //nolint:noctx // it outlives the call that starts it; finish ends it
	cmd.Dir, cmd.Env = m.cfg.Dir, append(os.Environ(), m.cfg.Env...)
	p := &mcpProcess{cmd: cmd, exited: make(chan struct{})}
	p.tail.To, p.tail.Out, p.tail.Secrets = m.cfg.Stderr, &m.stderr, m.cfg.Secrets
	cmd.Stderr = &p.tail
	// A child of the command may keep its output open.
	cmd.WaitDelay = mcpImpatience
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, refused(true, err)
	}
	// A pipe of our own: the library's pipe is closed when the process ends, which
	// loses unread output.
	r, w, err := os.Pipe()
	if err != nil {
		in.Close()
		return nil, refused(true, err)
	}
	cmd.Stdout = w
	err = process.Start(cmd)
	w.Close()
	if err != nil {
		in.Close()
		r.Close()
		return nil, refused(!errors.Is(err, exec.ErrNotFound) && !errors.Is(err, os.ErrNotExist), err)
	}
	p.in = in
	p.out = &mcpStdout{file: r, lines: bufio.NewReaderSize(r, 64<<10), noise: &p.tail}
	m.ending.Go(func() {
		p.err = cmd.Wait()
		// Its children may live on and keep its output open.
		_ = process.Kill(cmd) // it may have ended
		p.tail.End()
		close(p.exited)
	})
	return p, nil
}

// ask asks the process to terminate, without waiting.
func (p *mcpProcess) ask() {
	p.in.Close()
	p.asked.Do(func() {
		select {
		case <-p.exited: // its process ID may have been reused
		default:
			mcpTerminate(p.cmd)
		}
	})
}

// finish closes the input of the process, which is how the protocol ends a server. If
// it does not exit within patience it is asked to terminate, and then killed.
func (p *mcpProcess) finish(patience time.Duration) {
	p.in.Close()
	if !p.within(patience) {
		if p.ask(); !p.within(patience) {
			_ = process.Kill(p.cmd) // it may have ended just now
		}
	}
	<-p.exited
	p.out.file.Close()
}

// within reports whether the process ends within d.
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

// fate describes how the process ended and its last output.
func (p *mcpProcess) fate() string {
	said := "the server closed its output"
	// The output closes a moment before the process ends.
	if p.within(mcpImpatience) {
		said = "the server ended"
		if p.err != nil && !errors.Is(p.err, exec.ErrWaitDelay) {
			said += ": " + p.err.Error()
		}
	}
	return said + p.said()
}

// mcpStdout reads the messages from a server's standard output. Lines that are not
// messages, such as greetings and logs, are skipped and kept with its standard error.
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
		line, err := boundedLine(r.lines, mcpMaxMessage)
		if errors.Is(err, errLongLine) {
			err = fmt.Errorf("a line on the server's output is longer than %d bytes", mcpMaxMessage)
		}
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

// Close does nothing: closing the output before the server has ended would kill it on
// its next write. The process closes the output.
func (r *mcpStdout) Close() error { return nil }

func (r *mcpStdout) skip(line []byte) {
	r.mu.Lock()
	if r.skips == "" {
		r.skips = text.Shorten(r.noise.Secrets.Scrub(strings.ToValidUTF8(string(line), "\uFFFD")), mcpLineShown)
	}
	r.mu.Unlock()
	r.noise.Add(line[:min(len(line), 64<<10)])
}

// first is the first skipped line; "" if there was none.
func (r *mcpStdout) first() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.skips
}

// mcpIsMessage reports whether a line is a message or a batch of messages.
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

// mcpLineShown bounds how much of a server's line is shown, in characters.
const mcpLineShown = 300

// said returns the last lines of a server's standard error, to append to a message.
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
