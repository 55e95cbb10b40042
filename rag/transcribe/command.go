package transcribe

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/lazyregexp"
	"github.com/assay-eval/assay/internal/process"
	"github.com/assay-eval/assay/internal/secret"
	"github.com/assay-eval/assay/llm"
)

const (
	// commandName is what a command is called where a provider is named.
	commandName = "command"
	// maxTranscript bounds what a command writes: a day of speech is less than
	// 2 MiB.
	maxTranscript = 4 << 20
)

var command = Kind{
	Name:    commandName,
	Doc:     "a command that writes the transcript to standard output",
	Example: "--set transcriber-command='asr {{audio}} {{language}}'",
	Word:    true,
	Free:    true,
	Open:    openCommand,
}

func openCommand(s Setup) (assay.Transcriber, string, error) {
	if s.Model != "" || s.Command == "" {
		return nil, "", errors.New("give the command itself in --set transcriber-command")
	}
	args, err := process.Words(s.Command)
	if err != nil {
		return nil, "", err
	}
	c, err := NewCommand(CommandConfig{Args: args, Dir: s.Path("."), Stderr: s.Stderr})
	if err != nil {
		return nil, "", fmt.Errorf("command %q: %w", s.Command, err)
	}
	return c, c.Model(), nil
}

// CommandConfig says what is run for a recording.
type CommandConfig struct {
	// Args are the program and its arguments. In any but the first, {{audio}}
	// stands for the path of the recording, which is absolute, and {{language}}
	// for its language or "auto". No shell sees them.
	Args []string
	// Dir is where it is started; "" is where this process was.
	Dir string
	// Temp is the folder for recordings that are in memory; "" is the system's.
	Temp string
	// Stderr gets what the command writes there, beside the end of it that
	// messages quote; nil gets nothing.
	Stderr io.Writer
	// Secrets are taken out of everything that the command writes.
	Secrets secret.Set
}

// Command transcribes by a program that writes the transcript to standard
// output. It is started anew for each recording; when its context ends, so does
// it, with all that it has started. It is safe for concurrent use.
type Command struct {
	cfg CommandConfig
	err sync.Mutex // guards cfg.Stderr
}

var _ assay.Transcriber = (*Command)(nil)

var placeholder = lazyregexp.New(`\{\{\s*(.*?)\s*\}\}`)

// NewCommand checks a command line. It starts nothing: the program may still be
// missing.
func NewCommand(cfg CommandConfig) (*Command, error) {
	if len(cfg.Args) == 0 || strings.TrimSpace(cfg.Args[0]) == "" {
		return nil, errors.New("no command: expected a program and its arguments, with {{audio}} where the recording's path goes")
	}
	heard := false
	for i, arg := range cfg.Args {
		for _, m := range placeholder().FindAllStringSubmatch(arg, -1) {
			switch {
			case i == 0:
				return nil, fmt.Errorf("command %q: expected a program, and placeholders among its arguments", arg)
			case m[1] == "audio":
				heard = true
			case m[1] != "language":
				return nil, fmt.Errorf("unknown placeholder %q: expected {{audio}} or {{language}}", m[1])
			}
		}
	}
	if !heard {
		return nil, errors.New("no {{audio}}: expected it where the path of the recording goes")
	}
	return &Command{cfg: cfg}, nil
}

// Identity is the command line.
func (c *Command) Identity() string {
	return c.cfg.Secrets.Scrub(fmt.Sprintf("%s%q", commandName, c.cfg.Args))
}

// Model names the program in short.
func (c *Command) Model() string { return c.cfg.Secrets.Scrub(filepath.Base(c.cfg.Args[0])) }

// Transcribe runs the command.
func (c *Command) Transcribe(ctx context.Context, r assay.Recording) (assay.Transcription, error) {
	if err := ctx.Err(); err != nil {
		return assay.Transcription{}, err
	}
	in, err := open(r)
	if err != nil {
		return assay.Transcription{}, unusable(commandName, c.Model(), r, err)
	}
	defer in.close()
	path, err := filepath.Abs(r.Path)
	if r.Path == "" {
		var remove func()
		path, remove, err = c.file(in)
		defer remove()
	}
	if err != nil {
		return assay.Transcription{}, c.fail(llm.KindServer, "the recording cannot be put into a file: %v", err)
	}
	said, err := c.run(ctx, path, cmp.Or(language(r), "auto"))
	if err != nil {
		return assay.Transcription{}, err
	}
	return assay.Transcription{Text: transcript(c.cfg.Secrets.Scrub(said)), Duration: duration(in, in.size, in.format)}, nil
}

// file puts a recording into a file with the extension of its format; remove is
// never nil.
func (c *Command) file(in *content) (path string, remove func(), err error) {
	f, err := os.CreateTemp(c.cfg.Temp, "assay-*."+in.format)
	if err != nil {
		return "", func() {}, err
	}
	// What is left when this fails is the system's to clean up.
	remove = func() { _ = os.Remove(f.Name()) }
	_, err = io.Copy(f, in.whole())
	return f.Name(), remove, errors.Join(err, f.Close())
}

// run starts the command and waits for its end.
func (c *Command) run(ctx context.Context, path, lang string) (string, error) {
	args := slices.Clone(c.cfg.Args)
	for i := range args[1:] {
		args[i+1] = placeholder().ReplaceAllStringFunc(args[i+1], func(p string) string {
			if placeholder().FindStringSubmatch(p)[1] == "audio" {
				return path
			}
			return lang
		})
	}
	said, err := process.Once{
		Args: args, Dir: c.cfg.Dir, Most: maxTranscript, Stderr: c.cfg.Stderr, Out: &c.err, Secrets: c.cfg.Secrets,
	}.Run(ctx)
	var e *process.OnceError
	if !errors.As(err, &e) {
		return said, err
	}
	switch e.Why {
	case process.Unstarted:
		return "", c.fail(llm.KindModel, "%v", e)
	case process.Overflow:
		return "", c.fail(llm.KindRequest, "the transcript has more than %d MiB%v", maxTranscript>>20, e)
	case process.Exited:
		return "", c.fail(llm.KindRequest, "%v", e)
	}
	return "", c.fail(llm.KindServer, "%v", e)
}

func (c *Command) fail(k llm.Kind, format string, args ...any) error {
	message := c.cfg.Secrets.Scrub(fmt.Sprintf(format, args...))
	return &llm.Error{Kind: k, Provider: commandName, Model: c.Model(), Message: message, Attempts: 1}
}
