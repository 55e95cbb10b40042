// Package process has what is needed to run other programs: a group of processes
// that ends as one, the last of what they said on standard error, and what would
// be right when one does not start.
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
	// maxTail and maxTailLines bound what is kept of standard error.
	maxTail      = 4 << 10
	maxTailLines = 20
)

// A Tail keeps the last lines of a command's standard error, 20 and 4 KiB at
// most, without secrets, and passes all of them on.
type Tail struct {
	// To gets every line; nil gets none.
	To io.Writer
	// Out guards To, which several processes may share.
	Out     *sync.Mutex
	Secrets secret.Set

	mu      sync.Mutex
	partial []byte
	kept    []string
}

// Write takes a piece of standard error. A line without an end is cut.
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

// Add takes a whole line that came by another way. It does not go between the
// pieces of a line of standard error, where it would part a secret in two.
func (t *Tail) Add(line []byte) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.line(line)
}

// cut makes a line of what has come so far.
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

// End takes what is left as a line.
func (t *Tail) End() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.partial) > 0 {
		t.cut()
	}
}

// String is what is kept.
func (t *Tail) String() string { return strings.Join(t.Lines(), "\n") }

// Lines are those that are kept.
func (t *Tail) Lines() []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Clone(t.kept)
}
