package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/assay-eval/assay/internal/atomic"
	"github.com/assay-eval/assay/internal/config"
	"github.com/assay-eval/assay/internal/wire"
	"github.com/assay-eval/assay/report"
	"github.com/assay-eval/assay/summary"
)

// noiseFlags are the flags of assay noise that are not settings of a run.
type noiseFlags struct {
	runFlags
	effect  float64
	rejudge int
}

// noiseRepeat is the default number of draws per case. Two draws show the noise of a
// case by one difference, three by two independent ones.
const noiseRepeat = "3"

// noiseEffects are the differences whose detection cost is shown, as fractions of a
// metric's range. The recommendation is for the second.
var noiseEffects = []float64{0.01, 0.02, 0.05}

func newNoise(env *Env) *cobra.Command {
	var f noiseFlags
	cmd := &cobra.Command{
		Use:   "noise [RUN]",
		Short: "Measure how much the scores of one system vary by chance",
		Long: `Measure how much the scores of one system vary by chance: ask every question
several times (--repeat, 3 by default), compare the draws as if they were different
systems, and split the variation between target and judge. For the judge's part the
first responses are judged again (--rejudge).

For every metric it prints the noise floor, the difference that two runs of the same
system stay below, the cases whose draws differ, and the number of cases or draws
needed to detect a difference. The run is stored like any other (assay report shows
it), and calls in the ledger are not paid for again.

With RUN, a stored run (assay run --repeat) or its report file, the target is not
asked: the result is the noise of its draws, target and judge together.`,
		Example: `  assay noise --dataset gold.jsonl --corpus docs/
  assay noise --config eval-config.yaml --repeat 5 --sample 50
  assay noise --dataset gold.jsonl --endpoint http://localhost:8000/ask --judge openai:gpt-4.1-mini --rejudge 3 --effect 0.03
  assay noise latest`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return measureNoise(cmd.Context(), env, cmd.Flags(), f, args)
		},
	}
	// Noise has no verdict, and its report has its own formats.
	addSettingsThat(cmd, func(s config.Setting) bool { return !s.Verdict && !s.Compared && s.Key != "formats" })
	cmd.Flags().Float64Var(&f.effect, "effect", 0,
		"difference that is to be seen, as a share of a metric's range (default: 0.01, 0.02 and 0.05)")
	cmd.Flags().IntVar(&f.rejudge, "rejudge", 0,
		"how often the first response to each case is judged (default: 2 when a model judges, else 1)")
	f.add(cmd, "print a line for every case, and the mean so far")
	return cmd
}

func measureNoise(ctx context.Context, env *Env, flags *pflag.FlagSet, f noiseFlags, args []string) error {
	plan := summary.NoisePlan{Effects: noiseEffects, Effect: noiseEffects[1]}
	if flags.Changed("effect") {
		if !(f.effect > 0 && f.effect <= 1) {
			return fmt.Errorf("--effect %v: want a fraction of a metric's range, above 0 and up to 1", f.effect)
		}
		plan.Effects, plan.Effect = []float64{f.effect}, f.effect
	}
	if flags.Changed("rejudge") && f.rejudge < 1 {
		return fmt.Errorf("--rejudge %d: want 1 or more", f.rejudge)
	}
	r, err := resolve(env, flags, f.config)
	if err != nil {
		return err
	}
	var rep *report.Report
	var n summary.Noise
	if len(args) == 1 {
		rep, n, err = noiseOfRun(ctx, env, flags, r, args[0], plan)
	} else {
		rep, n, err = f.ask(ctx, env, flags, r, plan)
	}
	if err != nil {
		return err
	}
	base := filepath.Join(filepath.Dir(r.Output), "noise")
	if flags.Changed("output") {
		base = strings.TrimSuffix(strings.TrimSuffix(r.Output, ".md"), ".json")
	}
	if err := writeNoise(env, base, rep, n, r.Language); err != nil {
		return err
	}
	if !f.quiet {
		o := display(env, r.Language)
		o.Page = base + ".md"
		if err := report.NoiseTerminal(env.Stdout, rep, n, o); err != nil {
			return err
		}
	}
	if s := rep.Summary; s.Cases > 0 && s.Errors == s.Cases {
		return fmt.Errorf("the target failed %s%s", allCases(s.Cases), firstFailure(rep))
	}
	return nil
}

// ask performs the run whose noise is measured.
func (f noiseFlags) ask(
	ctx context.Context, env *Env, flags *pflag.FlagSet, r *config.Resolved, plan summary.NoisePlan,
) (*report.Report, summary.Noise, error) {
	var none summary.Noise
	if r.From("repeat") == config.FromDefault {
		if err := r.Set("repeat", noiseRepeat, config.FromFlag, "assay noise"); err != nil {
			return nil, none, err
		}
	}
	if r.Dataset == "" {
		return nil, none, noDataset()
	}
	if f.verbose || !f.quiet && !f.json && !env.StderrTTY {
		defer announceStop(env)()
	}
	progress := progressFor(env, f.runFlags)
	world := newWorld(env, r, progress, commandLine("noise", flags))
	if f.verbose {
		world.Stderr = env.Stderr
	}
	rep, n, ended := f.measure(ctx, env, r, world, plan)
	if b, ok := progress.(*bars); ok {
		b.close()
	}
	if ended != nil && rep != nil {
		ended = noiseEnded(env, rep, ended)
	}
	return rep, n, ended
}

// noiseOfRun computes the noise from the draws of a stored run.
func noiseOfRun(
	ctx context.Context, env *Env, flags *pflag.FlagSet, r *config.Resolved, ref string, plan summary.NoisePlan,
) (*report.Report, summary.Noise, error) {
	var none summary.Noise
	if unused := unusedFlags(flags, nil, "rejudge", "verbose", "json"); unused != "" {
		return nil, none, fmt.Errorf("%s: no effect on the stored run %q: leave out one of them", unused, ref)
	}
	rep, err := loadReport(ctx, env, ref, r.Store)
	if err != nil {
		return nil, none, err
	}
	if rep.Summary.Repeats == nil {
		return nil, none, hinted(fmt.Errorf("run %s asked each case once: want a run with several draws", rep.Header.ID),
			"assay run --repeat 3 or assay noise without a run makes one")
	}
	if flags.Changed("metrics") {
		part, err := restrict([]*report.Report{rep}, r.Metrics, false)
		if err != nil {
			return nil, none, err
		}
		rep = part[0]
	}
	judge := rep.Header.Judge
	plan.Level, plan.Seed = rep.Level(), r.Seed
	if flags.Changed("level") {
		plan.Level = r.Level
	}
	plan.Judgings, plan.Model = 1, judge != nil && !judge.Estimate
	return rep, summary.NoiseOf(rep.Header.Metrics, rep.Cases, nil, plan), nil
}

// measure performs the run. It opens the store last, after all other checks.
func (f noiseFlags) measure(
	ctx context.Context, env *Env, r *config.Resolved, world wire.World, plan summary.NoisePlan,
) (*report.Report, summary.Noise, error) {
	var none summary.Noise
	j, err := prepare(ctx, r, world)
	if err != nil {
		return nil, none, err
	}
	defer j.Close()
	if err := j.JudgeAgain(f.rejudge); err != nil {
		return nil, none, err
	}
	expected, err := j.Expect(ctx)
	if err != nil {
		return nil, none, err
	}
	if expected != nil && !f.quiet {
		env.Warn("expected judging cost: %s, minus calls already in the ledger", spendingLine(*expected))
	}
	s, err := openRunStore(ctx, env, r)
	if err != nil {
		return nil, none, err
	}
	env.keep(s)
	return j.Noise(ctx, s, plan)
}

// noiseEnded returns the error of a measurement that ended early. Its answers are
// stored, but a measurement can only be completed by the same command.
func noiseEnded(env *Env, rep *report.Report, ended error) error {
	err := outcome(env, rep, ended, false)
	var exit *ExitError
	if errors.As(err, &exit) {
		exit.Hints = []string{"the same command starts over; calls in the ledger are not paid for again"}
	}
	return err
}

func writeNoise(env *Env, base string, rep *report.Report, n summary.Noise, language string) error {
	if err := atomic.WriteFile(env.Path(base+".json"), func(w io.Writer) error { return report.NoiseJSON(w, rep.Header, n) }); err != nil {
		return err
	}
	o := report.Options{Language: language}
	return atomic.WriteFile(env.Path(base+".md"), func(w io.Writer) error { return report.NoiseMarkdown(w, rep, n, o) })
}
