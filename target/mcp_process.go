package target

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
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
	*process.Kept
	out *mcpStdout
}

// start starts the command.
func (m *MCP) start() (*mcpProcess, error) {
	tail := &process.Tail{To: m.cfg.Stderr, Out: &m.stderr, Secrets: m.cfg.Secrets}
	kept, err := process.Keep(m.cfg.Command, m.cfg.Dir, m.cfg.Env, tail)
	if err != nil {
		return nil, &Error{Kind: Refused, Err: fmt.Errorf("mcp: command %q: %w", m.cfg.Command[0], err)}
	}
	return &mcpProcess{kept, &mcpStdout{file: kept.Stdout, lines: bufio.NewReaderSize(kept.Stdout, 64<<10), noise: tail, over: make(chan struct{})}}, nil
}

// fate describes how the process ended and its last output.
func (p *mcpProcess) fate() string {
	said := "the server closed its output"
	// The output closes a moment before the process ends.
	if p.Ended(mcpImpatience) {
		said = "the server ended"
		if p.Err != nil {
			said += ": " + p.Err.Error()
		}
		select { // what it wrote last may not be read yet
		case <-p.out.over:
		case <-time.After(mcpImpatience):
		}
	}
	return said + p.Tail.Says()
}

// mcpStdout reads the messages from a server's standard output. Lines that are not
// messages, such as greetings and logs, are skipped and kept with its standard error.
type mcpStdout struct {
	file  *os.File
	lines *bufio.Reader
	noise *process.Tail
	rest  []byte
	// over is closed when there is no more to read.
	over chan struct{}
	once sync.Once

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
			r.once.Do(func() { close(r.over) })
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
