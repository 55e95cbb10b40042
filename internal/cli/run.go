package cli

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/config"
	"github.com/assay-eval/assay/internal/text"
	"github.com/assay-eval/assay/internal/wire"
	"github.com/assay-eval/assay/llm"
	"github.com/assay-eval/assay/report"
	"github.com/assay-eval/assay/report/words"
	"github.com/assay-eval/assay/store"
	"github.com/assay-eval/assay/target"
	"github.com/assay-eval/assay/target/adapter"
)

// runFlags are the flags of assay run that are not settings of the run.
type runFlags struct {
	config         string
	resume         string
	quiet, verbose bool
	json           bool
	dryRun         bool
}

// add adds the flags that run, compare and noise share. verbose says what that flag
// prints.
func (f *runFlags) add(cmd *cobra.Command, verbose string) {
	configFlag(cmd, &f.config)
	cmd.Flags().BoolVarP(&f.quiet, "quiet", "q", false, "print errors only")
	cmd.Flags().BoolVarP(&f.verbose, "verbose", "v", false, verbose)
	cmd.Flags().BoolVar(&f.json, "json", false, "print progress as one JSON object a line, on standard error")
	cmd.MarkFlagsMutuallyExclusive("quiet", "verbose", "json")
}

func newRun(env *Env) *cobra.Command {
	var f runFlags
	cmd := &cobra.Command{
		Use: "run",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 && cmd.Flags().Changed("resume") {
				return fmt.Errorf("unexpected argument %q; use --resume=%s", args[0], args[0])
			}
			return cobra.NoArgs(cmd, args)
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return evaluate(cmd.Context(), env, cmd.Flags(), f) },
	}
	addSettings(cmd)
	f.add(cmd, "print a line for every case, the mean so far, and the whole report")
	cmd.Flags().StringVar(&f.resume, "resume", "", "continue a run: its id, or nothing for the last one that is unfinished")
	cmd.Flags().Lookup("resume").NoOptDefVal = store.Latest
	cmd.Flags().BoolVar(&f.dryRun, "dry-run", false,
		"check everything, ask the target one case and show how its reply was read, print what judging would take, and stop")
	cmd.MarkFlagsMutuallyExclusive("dry-run", "resume")
	return cmd
}

func evaluate(ctx context.Context, env *Env, flags *pflag.FlagSet, f runFlags) (err error) {
	defer boundGrowth()()
	began := env.Now()
	r, err := resolve(env, flags, f.config)
	if err != nil {
		return err
	}
	caller := askCaller(env, r)
	ci := forCI(env, r.Config)
	defer func() { err = ci.fatal(err) }()
	if f.verbose || !f.quiet && !f.json && !env.StderrTTY {
		defer announceStop(env)()
	}
	progress := progressFor(env, f)
	world := newWorld(env, r, progress, commandLine("run", flags))
	world.Began = began
	world.Caller = caller
	if f.verbose {
		world.Stderr = env.Stderr
	}
	if f.dryRun {
		return dryRun(ctx, env, r, world)
	}
	var rep *report.Report
	var ended error
	if f.resume != "" {
		rep, ended = resume(ctx, env, r, f.resume, world)
	} else {
		rep, ended = begin(ctx, env, r, world, f.quiet)
	}
	closeBars(progress)
	if rep == nil {
		var exit *ExitError
		if wire.Interrupted(ended) && !errors.As(ended, &exit) {
			return &ExitError{Code: ExitInterrupted, Err: errors.New("interrupted before the first case")}
		}
		return ended
	}
	if ended != nil && rep.Cases.Len() == 0 {
		// Without any result, keep the report of an earlier run.
		return outcome(env, rep, ended, r.Gate.Inconclusive == "fail")
	}
	files, err := writeReports(env, rep, r.Output, r.Formats, ci.options())
	err = errors.Join(err, ci.write(rep, files.base, r.Formats))
	if !f.quiet {
		if !rep.Header.Finished.Before(began) {
			rep.Reported = env.Now().Sub(rep.Header.Finished)
		}
		err = errors.Join(err, terminal(env, rep, files, r.Language, f.verbose))
	}
	came := outcome(env, rep, ended, r.Gate.Inconclusive == "fail")
	if err != nil {
		// A report that could not be written is fatal; the error still includes the verdict.
		return &ExitError{Code: ExitFatal, Err: errors.Join(came, err)}
	}
	return came
}

// askCaller returns the program that started assay, if the run asks it; nil if not.
// Standard output is the way to that program then, so everything else is written to
// standard error.
func askCaller(env *Env, r *config.Resolved) *target.Caller {
	if !adapter.Find(r.Adapter).AsksCaller(&r.Settings) {
		return nil
	}
	c := &target.Caller{Replies: env.Stdin, Questions: env.Stdout.(*output)}
	env.Stdout, env.StdoutTTY = env.Stderr, env.StderrTTY
	return c
}

// begin performs the configured run. It opens the store last, after all other checks,
// so that an invalid configuration leaves nothing behind.
func begin(ctx context.Context, env *Env, r *config.Resolved, world wire.World, quiet bool) (*report.Report, error) {
	if r.Dataset == "" {
		return nil, noDataset()
	}
	j, err := prepare(ctx, r, world)
	if err != nil {
		return nil, err
	}
	defer j.Close()
	warnRefused(env, r, j)
	expected, err := j.Expect(ctx)
	if err != nil {
		return nil, err
	}
	if expected != nil && !quiet && !r.Replay {
		env.Warn("expected judging cost: %s, minus calls already in the ledger", spendingLine(*expected))
	}
	if err := checkReports(env, r, r.Output); err != nil {
		return nil, err
	}
	s, err := openRunStore(ctx, env, r)
	if err != nil {
		return nil, err
	}
	env.keep(s)
	return j.Run(ctx, s)
}

// spendingLine formats the number, size and cost of model calls.
func spendingLine(s assay.Spending) string {
	line := fmt.Sprintf("%d calls, %d tokens in, %d out", s.Calls, s.Usage.InputTokens, s.Usage.OutputTokens)
	if s.Usage.Cost > 0 {
		line += ", " + assay.Dollars(s.Usage.Cost)
	}
	return line
}

func noDataset() error {
	return hinted(errors.New("no dataset: set --dataset FILE"), "assay quickstart shows a run on bundled data",
		"assay init writes a config and a dataset to start from")
}

// prepare prepares a run. The first request to stop ends the preparation.
func prepare(ctx context.Context, r *config.Resolved, world wire.World) (*wire.Prepared, error) {
	j, err := wire.Prepare(ctx, r, world)
	if wire.Interrupted(err) {
		stopped := &ExitError{Code: ExitInterrupted, Err: errors.New("interrupted before the first case")}
		if world.CacheDir != "" {
			stopped.Hints = []string{"the index so far is kept; the same command continues from there"}
		}
		return nil, stopped
	}
	return j, err
}

// resume completes a stored run. For a finished run it only writes the report again,
// which may be missing if the process died before writing it.
func resume(ctx context.Context, env *Env, r *config.Resolved, ref string, world wire.World) (*report.Report, error) {
	s, err := openKept(ctx, env, r.Store, "--store names the one that keeps the run")
	if err != nil {
		return nil, err
	}
	env.keep(s)
	// A finished run keeps its verdict, unless the command names another gate.
	regate := slices.ContainsFunc(r.Keys(), func(key string) bool {
		return r.From(key) == config.FromFlag && (key == "baseline" || strings.HasPrefix(key, "gate."))
	})
	h, err := restore(ctx, env, s, r, ref)
	if err != nil {
		return nil, err
	}
	if h.State == "finished" {
		env.Warn("run %q is finished: writing its report again", h.ID)
		rep, err := wire.Kept(ctx, s, h)
		if err != nil || !regate {
			return rep, err
		}
		policy, err := wire.Policy(r, env.Path)
		if err != nil {
			return nil, err
		}
		return rep, wire.Hold(rep, policy)
	}
	j, err := prepare(ctx, r, world)
	if err != nil {
		return nil, err
	}
	defer j.Close()
	if err := j.Resume(h); err != nil {
		return nil, err
	}
	warnRefused(env, r, j)
	if err := checkReports(env, r, r.Output); err != nil {
		return nil, err
	}
	return j.Run(ctx, s)
}

// unfinishedRun returns the run that ref names. [store.Latest] names the unfinished run
// that started last and that no process works on, whatever finished since; the last run
// if there is none.
func unfinishedRun(ctx context.Context, s *store.Store, ref string, env *Env) (assay.Header, error) {
	if ref != store.Latest {
		return s.Run(ctx, ref)
	}
	all, err := s.Runs(ctx, 0)
	if err != nil {
		return assay.Header{}, err
	}
	var open []assay.Header
	for _, h := range all {
		if h, err = s.IfAlive(ctx, h, env.Now().UTC()); err != nil {
			return h, err
		}
		if h.State == "interrupted" {
			open = append(open, h)
		}
	}
	if len(open) == 0 {
		return s.Run(ctx, ref)
	}
	for _, h := range open[1:] {
		env.Warn("run %q is unfinished too: assay run --resume=%s%s", h.ID, h.ID, config.StoreFlag(h.Config["store"]))
	}
	return open[0], nil
}

// restore replaces the settings by those of the run that ref names. A flag that differs
// is an error: all cases of a run must have the same settings. Flags that do not affect
// results keep their new values.
func restore(ctx context.Context, env *Env, s *store.Store, r *config.Resolved, ref string) (assay.Header, error) {
	h, err := unfinishedRun(ctx, s, ref, env)
	if err != nil {
		return h, err
	}
	now := *r
	// The database may have been moved or copied since the run began.
	kept, err := settingsOf(h, &now, "store")
	if err != nil {
		return h, fmt.Errorf("run %q: %w", h.ID, err)
	}
	*r = *kept
	var problems []error
	for _, key := range now.Keys() {
		set, err := config.Find(key)
		if err != nil {
			return h, err
		}
		if now.From(key) != config.FromFlag || set.Secret {
			// The current secrets are already in use.
			continue
		}
		if was, is := r.Get(key), now.Get(key); set.Free || key == "dataset" && sameRows(was, is) {
			if err := r.Take(&now, key); err != nil {
				return h, err
			}
		} else if was != is {
			problems = append(problems, fmt.Errorf("%s %q: the run was started with %q", strings.TrimPrefix(now.Origins[key], "flag "), is, was))
		}
	}
	if problems != nil {
		return h, hinted(errors.Join(problems...), "a run is resumed with its original settings; leave out --resume to start a new one")
	}
	return h, nil
}

// sameRows reports whether two paths are of the same rows of a calling program, which have their hash as a name.
func sameRows(a, b string) bool {
	return strings.HasPrefix(filepath.Base(a), "rows-") && filepath.Base(a) == filepath.Base(b)
}

// progressFor returns nil for a run that shows no progress.
func progressFor(env *Env, f runFlags) wire.Progress {
	switch {
	case f.json:
		return &jsonLines{out: env.Stderr}
	case f.verbose:
		return &lines{out: env.Stderr}
	case f.quiet || !env.StderrTTY:
		return nil
	}
	b := newBars(env.Stderr)
	b.stop = env.Interrupted
	return b
}

func newWorld(env *Env, r *config.Resolved, p wire.Progress, command []string) wire.World {
	getenv := env.Getenv
	if r.Variables != nil {
		getenv = r.Variables.Get
	}
	return wire.World{
		Path: env.Path, CacheDir: wire.CacheDir(r.Cache, env.Getenv, env.Path), Getenv: getenv, Now: env.Now, Random: rand.Reader,
		Stop: env.Interrupted, Version: env.Version, Command: command, Progress: p,
		Tell: lineWriter(env, p), Profile: keptProfile(env, r), Limits: &env.limits,
	}
}

// commandLine returns the command in a form that can be typed again, with the flag that
// set each entry of a map.
func commandLine(name string, flags *pflag.FlagSet) []string {
	line := []string{"assay", name}
	visitTyped(flags, func(f *pflag.Flag) {
		typed := []string{f.Value.String()}
		if s, ok := f.Value.(*settingFlag); ok && s.s.Entries() {
			typed = s.shown()
		}
		for _, v := range typed {
			line = append(line, strings.Replace(typedName(f), " ", "=", 1)+"="+v)
		}
	})
	return line
}

// outcome returns the error that determines the exit code, nil for success. If strict
// is set, an inconclusive gate fails.
func outcome(env *Env, rep *report.Report, ended error, strict bool) error {
	h, s := rep.Header, rep.Summary
	resume := "assay run --resume=" + h.ID
	if llm.IsKind(ended, llm.KindBudget) {
		resume += " --max-cost=DOLLARS"
	}
	if llm.IsKind(ended, llm.KindReplay) {
		resume += " --replay=false"
	}
	resume += config.StoreFlag(h.Config["store"]) + " resumes it"
	switch {
	case wire.Interrupted(ended):
		return &ExitError{Code: ExitInterrupted, Err: fmt.Errorf("interrupted after %s", rep.CasesAsked(words.English)),
			Hints: []string{resume}}
	case ended != nil:
		return hinted(ended, resume)
	case s.Cases > 0 && s.Errors == s.Cases:
		return fmt.Errorf("the target failed %s%s", allCases(rep), firstFailure(rep))
	case s.CriticalFailed > 0:
		return &ExitError{Code: ExitCritical, Err: fmt.Errorf("%d of %d critical cases failed: %s", s.CriticalFailed, s.Critical,
			failedCritical(rep))}
	}
	return missed(env, rep, strict)
}

func allCases(rep *report.Report) string {
	if rep.Summary.Cases == 1 {
		return "the only case"
	}
	unit := "cases"
	if rep.Header.Repeat > 1 {
		unit = "draws"
	}
	return fmt.Sprintf("all %d %s", rep.Summary.Cases, unit)
}

// firstFailure returns the first failure of a target that fails every case. Usually all
// have the same cause.
func firstFailure(rep *report.Report) string {
	for r, err := range rep.Records() {
		if err != nil {
			return "; " + err.Error()
		}
		if r.Failure != nil {
			return fmt.Sprintf("; %q: %s", r.Case.ID, text.Visible(r.Failure.Message))
		}
	}
	return ""
}

// failedCritical returns the first critical case that failed, and why.
func failedCritical(rep *report.Report) string {
	for _, i := range rep.Critical().Failed {
		if r, err := rep.Record(i); err == nil {
			return "first " + rep.Why(r)
		}
	}
	return "see the report"
}
