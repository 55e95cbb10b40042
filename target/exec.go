package target

import (
	"context"
	"io"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/secret"
	"github.com/assay-eval/assay/target/reply"
)

// ExecConfig says which command answers questions: one JSON object a line on its
// standard input, one a line on its standard output, until its input ends.
type ExecConfig struct {
	Command []string
	Dir     string
	// Env is added to the environment of this process.
	Env []string
	// Send is the line as a decoded JSON value with placeholders; nil sends
	// {"seq", "id", "question", "top_k", "metadata"}.
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
	Now     func() time.Time
}

// Exec is a target that is a command.
type Exec struct{}

// NewExec checks the configuration; the command is started with the first case.
func NewExec(c ExecConfig) (*Exec, error) { panic("not written yet") }

// Ask asks the command one question.
func (e *Exec) Ask(ctx context.Context, c *assay.Case) (assay.Response, error) {
	panic("not written yet")
}

// Close ends the command: its input is closed, and it is killed when it does not
// end by itself.
func (e *Exec) Close() error { panic("not written yet") }
