// Package process runs other programs: it ends a group of processes together, keeps the
// last lines of their standard error, and describes why a program does not start.
package process

import (
	"bytes"
	"io"
	"slices"
	"strings"
	"sync"

	"github.com/assay-eval/assay/internal/secret"
)

const (
	// maxTail and maxTailLines bound how much of standard error is kept.
	maxTail      = 4 << 10
	maxTailLines = 20
)

// A Tail keeps the last lines of a command's standard error, at most 20 lines and 4
// KiB, without secrets, and forwards all lines.
type Tail struct {
	// To receives every line; nil discards them.
	To io.Writer
	// Out guards To, which several processes may share.
	Out     *sync.Mutex
	Secrets secret.Set

	mu      sync.Mutex
	partial []byte
	kept    []string
}

// Write adds a part of standard error. A very long line is split.
func (t *Tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for rest := b; len(rest) > 0; {
		i := bytes.IndexByte(rest, '\n')
		if i < 0 {
			t.partial = append(t.partial, rest...)
			if len(t.partial) > 16*maxTail {
				t.cut()
			}
			break
		}
		t.partial = append(t.partial, rest[:i]...)
		t.cut()
		rest = rest[i+1:]
	}
	return len(b), nil
}

// Add adds a complete line from another source. It is never inserted into a partial
// line of standard error, since that could split a secret.
func (t *Tail) Add(line []byte) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.line(line)
}

// cut ends the current line.
func (t *Tail) cut() {
	t.line(t.partial)
	t.partial = t.partial[:0]
}

func (t *Tail) line(b []byte) {
	text := t.Secrets.Scrub(strings.ToValidUTF8(strings.TrimRight(string(b), "\r"), "\uFFFD"))
	if t.To != nil {
		t.Out.Lock()
		_, _ = io.WriteString(t.To, text+"\n") // a log that is full must not stop the command
		t.Out.Unlock()
	}
	if strings.TrimSpace(text) == "" {
		return
	}
	if len(text) > maxTail {
		text = "…" + strings.ToValidUTF8(text[len(text)-maxTail:], "")
	}
	t.kept = append(t.kept, text)
	size := 0
	for i := len(t.kept) - 1; i >= 0; i-- {
		if size += len(t.kept[i]) + 1; size > maxTail+4 || len(t.kept)-i > maxTailLines {
			t.kept = append(t.kept[:0], t.kept[i+1:]...)
			break
		}
	}
}

// End ends the last line.
func (t *Tail) End() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.partial) > 0 {
		t.cut()
	}
}

// String returns the kept lines.
func (t *Tail) String() string { return strings.Join(t.Lines(), "\n") }

// Says returns the kept lines for the end of an error message; "" if there are none.
func (t *Tail) Says() string {
	if said := t.String(); said != "" {
		return "; stderr: " + said
	}
	return ""
}

// Lines returns the kept lines.
func (t *Tail) Lines() []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Clone(t.kept)
}
