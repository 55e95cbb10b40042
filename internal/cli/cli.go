// Package cli implements the command line, with one file per command. A command reads its
// flags, calls the packages that do the work, and writes its result to standard output.
// All other output goes to standard error.
package cli

import (
	"cmp"
	"context"
	_ "embed" // the removed commands and flags
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/assay-eval/assay/internal/oserror"
	"github.com/assay-eval/assay/internal/text"
	"github.com/assay-eval/assay/llm"
)

// Exit codes. If several apply, 3 takes precedence over 2, and 2 over 1.
const (
	// ExitOK means that the command succeeded and everything passed.
	ExitOK = 0
	// ExitThreshold means that a threshold or a gate failed.
	ExitThreshold = 1
	// ExitCritical means that a critical case failed.
	ExitCritical = 2
	// ExitFatal means that there is no result to judge: a flag, the dataset or the
	// configuration is invalid, or the target cannot be reached.
	ExitFatal = 3
	// ExitInterrupted means that the user stopped the command.
	ExitInterrupted = 130
)

// Env is the process environment of a command. Tests can replace it.
type Env struct {
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	// Dir is the folder that relative paths are resolved against.
	Dir string
	// Getenv looks up an environment variable; "" when it is not set.
	Getenv func(string) string
	Now    func() time.Time
	// StdoutTTY and StderrTTY report whether the stream is a terminal.
	StdoutTTY, StderrTTY bool
	// Width is the number of columns of the terminal, or 0 if there is no terminal.
	Width int
	// Interrupted is closed at the user's first request to stop. The second request ends
	// the command's context.
	Interrupted <-chan struct{}
	// Version is the version of the program.
	Version string

	// limits are those of the providers of models. All runs of a command share them.
	limits llm.Limits
	// open are the stores that reports read from until the command ends.
	open []io.Closer
}

// keep keeps a store open until the command ends.
func (e *Env) keep(s io.Closer) { e.open = append(e.open, s) }

// close closes the stores that were kept open. Everything was written before.
func (e *Env) close() {
	for _, s := range e.open {
		_ = s.Close()
	}
	e.open = nil
}

// Path resolves a path that a user gave.
func (e *Env) Path(p string) string {
	if p == "" || filepath.IsAbs(p) || e.Dir == "" {
		return p
	}
	return filepath.Join(e.Dir, p)
}

// Open opens a file that a user named, or standard input for "-".
func (e *Env) Open(name string) (io.ReadCloser, error) {
	if name == "-" {
		return io.NopCloser(e.Stdin), nil
	}
	return os.Open(e.Path(name))
}

// Colour reports whether standard output may contain colours.
func (e *Env) Colour() bool { return e.StdoutTTY && e.Getenv("NO_COLOR") == "" }

// Warn writes a line to standard error.
func (e *Env) Warn(format string, args ...any) {
	fmt.Fprintf(e.Stderr, "assay: %s\n", text.Visible(fmt.Sprintf(format, args...)))
}

// Hint writes a line to standard error that suggests what to do next.
func (e *Env) Hint(format string, args ...any) {
	fmt.Fprintf(e.Stderr, "assay: hint: %s\n", text.Visible(fmt.Sprintf(format, args...)))
}

// An ExitError ends the program with a code other than ExitFatal, the code of every other
// error. If Err is nil, nothing more is printed.
type ExitError struct {
	Code int
	Err  error
	// Hints are lines that suggest what to do.
	Hints []string
}

// Error gives the message of the wrapped error.
func (e *ExitError) Error() string {
	if e.Err == nil {
		return fmt.Sprintf("exit code %d", e.Code)
	}
	return e.Err.Error()
}

// Unwrap returns the wrapped error.
func (e *ExitError) Unwrap() error { return e.Err }

// hinted adds a hint to an error that ends the program with ExitFatal.
func hinted(err error, hints ...string) error {
	return &ExitError{Code: ExitFatal, Err: err, Hints: hints}
}

// An output remembers that something of it was lost, so that no command has to look after each line.
type output struct {
	io.Writer
	lost error
}

// Write implements io.Writer.
func (o *output) Write(p []byte) (int, error) {
	n, err := o.Writer.Write(p)
	if err != nil && o.lost == nil {
		o.lost = fmt.Errorf("the output is incomplete: %w", err)
	}
	return n, err
}

// Close implements io.Closer; an output that cannot be closed stays open.
func (o *output) Close() error {
	if c, ok := o.Writer.(io.Closer); ok {
		return c.Close()
	}
	return nil
}

// Main runs the command that args name and returns the exit code.
func Main(ctx context.Context, env *Env, args []string) (code int) {
	defer func() {
		if broke := recover(); broke != nil { // the exit code of a panic means that a critical case failed
			fmt.Fprintf(env.Stderr, "%s", debug.Stack())
			env.Warn("defect of assay: %v. There is no result. Report the command and this trace.", broke)
			code = ExitFatal
		}
	}()
	defer env.close()
	out := &output{Writer: env.Stdout}
	env.Stdout = out
	defer func() { env.Stdout = out.Writer }()
	root := newRoot(env)
	if len(args) > 0 && strings.HasPrefix(args[0], cobra.ShellCompRequestCmd) {
		eachCommand(root, completeFlags)
	}
	root.SetArgs(withThresholds(root, args))
	root.SetIn(env.Stdin)
	root.SetOut(env.Stdout)
	root.SetErr(env.Stderr)
	err := cmp.Or(root.ExecuteContext(ctx), out.lost)
	if err == nil || errors.Is(err, os.ErrClosed) || oserror.BrokenPipe(err) {
		return ExitOK
	}
	var exit *ExitError
	code = ExitFatal
	if errors.As(err, &exit) {
		code = exit.Code
		if exit.Err == nil {
			return code
		}
	}
	for _, line := range strings.Split(err.Error(), "\n") {
		env.Warn("%s", line)
	}
	if exit != nil {
		for _, h := range exit.Hints {
			env.Hint("%s", h)
		}
	}
	return code
}

// usualCommands are described in the first help text; moreCommands are named there.
var usualCommands = []func(*Env) *cobra.Command{
	newQuickstart, newInit, newRun, newCompare, newReport, newGate, newCaseList, newRuns, newView,
	with(newMeasure, newMeasureTranscript),
	group("dataset", newDatasetValidate, newDatasetCheck, newDatasetConvert, newDatasetStats, newDatasetSample, newDatasetAnswers,
		newDatasetQuestions, newDatasetIdeal, newDatasetFormats),
	group("judge", newJudgeCalibrate, newJudgeCertify, newJudgeAttack, newJudgeBias, newJudgeCanary),
}

var moreCommands = []func(*Env) *cobra.Command{
	group("import", newImportTraces), group("corpus", newCorpusUpload),
	group("baseline", newBaselineSave, newBaselineShow, newBaselineApprove),
	with(newServe, newServeStatus, newServeHealth, newServeWorker,
		group("token", newTokenCreate, newTokenList, newTokenRevoke)),
	group("store", newStoreExport, newStoreImport, newStoreCheck, newStoreMigrate, newStoreGC,
		group("profile", newProfileList, newProfileShow, newProfileSet, newProfileReset)),
	newMetrics, with(newDoctor, newDoctorConfig), newVersion,
}

// removedText has a line for each command and flag of earlier versions: what it was, and what
// replaces it.
//
//go:embed removed.txt
var removedText string

// removed returns what replaces each command and flag of earlier versions.
func removed() map[string]string {
	instead := map[string]string{}
	for line := range strings.Lines(removedText) {
		was, now, _ := strings.Cut(strings.TrimSpace(line), ": ")
		instead[was] = now
	}
	return instead
}

func newRoot(env *Env) *cobra.Command {
	root := group("assay", usualCommands...)(env)
	for _, c := range root.Commands() {
		c.GroupID = usual
	}
	for _, newCommand := range moreCommands {
		root.AddCommand(newCommand(env))
	}
	root.AddGroup(&cobra.Group{ID: usual})
	root.Version, root.SilenceUsage, root.SilenceErrors = env.Version, true, true
	root.SetVersionTemplate("assay {{.Version}}\n")
	root.SetFlagErrorFunc(flagError)
	root.SetUsageFunc(usage)
	root.SetHelpFunc(helpAll(root.HelpFunc()))
	root.AddCommand(&cobra.Command{Use: "exit-codes"}, &cobra.Command{Use: "settings"})
	root.CompletionOptions.HiddenDefaultCmd = true
	for path, instead := range removed() {
		if strings.Contains(path, "--") {
			continue
		}
		said := fmt.Sprintf("assay %s was removed: %s", path, instead)
		parent, name, _ := root.Find(strings.Fields(path))
		parent.AddCommand(&cobra.Command{
			Use: name[0], Short: said, Hidden: true, DisableFlagParsing: true, RunE: func(*cobra.Command, []string) error { return errors.New(said) },
		})
	}
	eachCommand(root, func(c *cobra.Command) {
		explain(c)
		explainArguments(c)
		completeRuns(env, c)
	})
	return root
}

// eachCommand visits a command and all below it.
func eachCommand(cmd *cobra.Command, do func(*cobra.Command)) {
	do(cmd)
	for _, sub := range cmd.Commands() {
		eachCommand(sub, do)
	}
}
