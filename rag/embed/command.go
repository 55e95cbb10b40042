package embed

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"sync"

	"github.com/assay-eval/assay/internal/process"
	"github.com/assay-eval/assay/internal/text"
	"github.com/assay-eval/assay/llm"
)

const (
	commandKind = "command"
	// maxVectors bounds what a command writes for a call.
	maxVectors = 64 << 20
)

var command = Kind{
	Name:    commandKind,
	Doc:     `a command that reads lines of {"text": "…"} and writes a line with the list of numbers for each`,
	Example: "--set embedder-command='python embed.py'",
	Free:    true,
	Batch:   256, // it is started for each call, and loads its model each time
	Open: func(s Setup) (Source, error) {
		if s.Command == "" {
			return nil, errors.New("give the command itself in --set embedder-command")
		}
		args, err := process.Words(s.Command)
		if err != nil {
			return nil, err
		}
		return &commandSource{args: args, dir: s.Dir, stderr: s.Stderr}, nil
	},
}

// A commandSource runs a program for each call. It gets a JSON object with the field "text"
// on a line for each text, and then the end of its input; it writes a JSON list of numbers
// on a line for each, in the same order, and ends with status 0.
type commandSource struct {
	args   []string
	dir    string
	stderr io.Writer
	out    sync.Mutex // guards stderr
}

// Vectors implements [Source].
func (c *commandSource) Vectors(ctx context.Context, texts []string) (Batch, error) {
	if err := ctx.Err(); err != nil {
		return Batch{}, err
	}
	var in bytes.Buffer
	w := json.NewEncoder(&in)
	w.SetEscapeHTML(false)
	for _, t := range texts {
		if err := w.Encode(map[string]string{"text": t}); err != nil {
			return Batch{}, c.fail(llm.KindRequest, "%v", err)
		}
	}
	said, err := process.Once{
		Args: c.args, Dir: c.dir, Stdin: &in, Most: maxVectors, Stderr: c.stderr, Out: &c.out,
	}.Run(ctx)
	var e *process.OnceError
	switch {
	case !errors.As(err, &e) && err != nil:
		return Batch{}, err
	case err == nil:
	case e.Why == process.Overflow:
		return Batch{}, c.fail(llm.KindTooLong, "the vectors have more than %d MiB%v", maxVectors>>20, e)
	case e.Why == process.Broken:
		return Batch{}, c.fail(llm.KindServer, "%v", e)
	default:
		// Another text would not help, nor would another try.
		return Batch{}, c.fail(llm.KindModel, "%v", e)
	}
	out := make([][]float32, 0, len(texts))
	for line := range strings.Lines(said) {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		var v vector
		if err := json.Unmarshal([]byte(line), &v); err != nil {
			return Batch{}, c.fail(llm.KindReply, "line %d, %q: %v", len(out)+1, text.Shorten(text.Visible(line), 60), err)
		}
		out = append(out, v)
	}
	return Batch{Vectors: out}, nil
}

func (c *commandSource) fail(k llm.Kind, format string, args ...any) error {
	return &llm.Error{Kind: k, Provider: commandKind, Model: filepath.Base(c.args[0]), Message: fmt.Sprintf(format, args...), Attempts: 1}
}
