package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/assay-eval/assay/gate"
	"github.com/assay-eval/assay/internal/config"
	"github.com/assay-eval/assay/internal/wire"
	"github.com/assay-eval/assay/report"
	"github.com/assay-eval/assay/report/words"
	"github.com/assay-eval/assay/store"
)

func newGate(env *Env) *cobra.Command {
	var file, format string
	cmd := &cobra.Command{
		Use:  "gate [RUN]",
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			f, err := report.Gated.Lookup(format)
			if err != nil {
				return err
			}
			r, err := resolveStored(env, cmd.Flags(), file)
			if err != nil {
				return err
			}
			stderr := env.Stderr
			ci := forCI(env, r.Config)
			if format == "json" {
				// Programs read standard output; GitHub also reads workflow commands on standard
				// error.
				ci.commands = stderr
			}
			return ci.fatal(judgeKept(cmd, env, r, ci, firstOf(args), f.Gate))
		},
	}
	addSettingsThat(cmd, func(s config.Setting) bool { return s.Verdict || s.Key == "store" || s.Key == "language" }, everySetting)
	configFlag(cmd, &file)
	format = report.Gated.Names()[0]
	choiceFlag(cmd, &format, "format", "how to print", report.Gated.Names())
	return cmd
}

// judgeKept applies the gate to a stored run and writes the result.
func judgeKept(
	cmd *cobra.Command, env *Env, r *config.Resolved, ci *ciOutput, ref string, write func(io.Writer, *report.Report, report.Options) error,
) error {
	defer boundGrowth()()
	rep, policy, err := judgeRun(cmd, env, r, ref)
	if err != nil {
		return err
	}
	if rep.Gate == nil && rep.Summary.CriticalFailed == 0 {
		return hinted(fmt.Errorf("run %q: there is nothing to hold it to; use --gate or --baseline", rep.Name()),
			"assay baseline save keeps a run as the baseline of later ones")
	}
	if err := ci.write(rep, "", nil); err != nil {
		return err
	}
	if err := write(env.Stdout, rep, display(env, r.Language)); err != nil {
		return err
	}
	return outcome(env, rep, nil, policy.Strict)
}

// firstOf returns the only argument, or "" if there is none.
func firstOf(args []string) string {
	if len(args) == 0 {
		return ""
	}
	return args[0]
}

// runOf returns the run that the only argument names, by default the last one.
func runOf(args []string) string { return cmp.Or(firstOf(args), store.Latest) }

// judgeRun finds a run, by default the last one, and applies the gate of the settings
// to it. If the settings have none, the run keeps the outcome that is stored with it. Tests use the level
// and the seed of the run.
func judgeRun(cmd *cobra.Command, env *Env, r *config.Resolved, ref string) (*report.Report, gate.Policy, error) {
	policy, err := wire.Policy(r, env.Path)
	if err != nil {
		return nil, policy, err
	}
	rep, err := finishedRun(cmd, env, r.Store, ref)
	if err != nil {
		return nil, policy, err
	}
	p := policy
	if rep.Gate != nil && len(p.Rules) == 0 && p.Baseline == nil && p.Labels == nil && !p.AllCritical && !p.AllowEstimates && p.MinCertificate == 0 {
		return rep, policy, nil // the run's own gate
	}
	if policy.Labels != nil {
		names := []string{rep.Header.Name}
		if policy.Baseline != nil {
			names = append(names, policy.Baseline.Name)
		}
		if policy.Labels.Own, err = ownNames(cmd.Context(), env, r.Store, names...); err != nil {
			return nil, policy, err
		}
	}
	return rep, policy, wire.Hold(rep, policy)
}

// ownNames returns the names that one run of the store alone has: all of them, if there is no store.
func ownNames(ctx context.Context, env *Env, path string, names ...string) (own map[string]bool, err error) {
	if missingStore(env, path) != nil {
		own = map[string]bool{}
		for _, n := range names {
			own[n] = true
		}
		return own, nil
	}
	s, err := openStore(ctx, env, path)
	if err != nil {
		return nil, err
	}
	own, err = wire.OwnNames(ctx, s, names...)
	return own, errors.Join(err, s.Close())
}

// finishedRun finds a run, by default the last one. It returns an error if the run is
// not finished, because the missing cases could change the verdict.
func finishedRun(cmd *cobra.Command, env *Env, path, ref string) (*report.Report, error) {
	rep, err := loadReport(cmd.Context(), env, cmp.Or(ref, store.Latest), path)
	if err != nil {
		return nil, err
	}
	if h := rep.Header; h.State != "finished" && !h.Deferred {
		return nil, hinted(fmt.Errorf("run %q is not finished: %s done", h.ID, rep.CasesAsked(words.English)),
			"assay run --resume="+h.ID+cmp.Or(config.StoreFlag(path), config.StoreFlag(h.Config["store"]))+" resumes it")
	}
	return rep, nil
}

// warnRefused warns, before a run that may cost money, if the baseline will refuse it,
// about rules against the baseline that will fail in any case, and about metrics whose judge is
// not certified as the gate demands.
func warnRefused(env *Env, r *config.Resolved, j *wire.Prepared) {
	policy, header := j.Gate()
	var reasons []gate.Finding
	if policy.Baseline != nil {
		reasons = policy.Baseline.Refuses(header)
	}
	for _, reason := range reasons {
		env.Warn("baseline %s does not apply to this run: %s", r.Baseline, reason.In(words.English))
	}
	if reasons != nil {
		env.Hint("assay baseline approve%s creates a new baseline from the finished run", config.StoreFlag(r.Store))
	}
	for _, x := range policy.ForeseeOpen(header) {
		env.Warn("the gate will be inconclusive: %s: %s", x.Metric, x.Reason.In(words.English))
	}
	doomed := policy.Foresee(header)
	for _, x := range doomed {
		env.Warn("the gate will fail against baseline %s: %s: %s", r.Baseline, x.Rule, x.Reason.In(words.English))
	}
	if doomed != nil && r.Metrics != nil {
		env.Hint("without --metrics all metrics of the baseline are measured; --tolerance METRIC=-1 only tracks a metric")
	}
}

// missed returns an error if the gate does not let the run through, and nil if there is
// no gate. It prints undecided rules that the gate tolerates.
func missed(env *Env, rep *report.Report, strict bool) error {
	g := rep.Gate
	if g == nil || g.Verdict == gate.Pass {
		if s := rep.Summary; s.CriticalUnchecked > 0 {
			env.Warn("%d of %d critical cases could not be checked", s.CriticalUnchecked, s.Critical)
			env.Hint("without a gate that is exit code 0; with one, such as --critical all, it is 1")
		}
		return nil
	}
	var lines []string
	for _, reason := range g.Refused {
		lines = append(lines, "baseline refused: "+reason.In(words.English))
	}
	for _, r := range g.Results {
		if r.Verdict != gate.Pass {
			lines = append(lines, fmt.Sprintf("%s %s: %s: %s", ruleKind(rep, r), r.Rule, r.Verdict, r.Reason.In(words.English)))
		}
	}
	if !g.Passed(strict) {
		return &ExitError{Code: ExitThreshold, Err: errors.New(strings.Join(lines, "\n"))}
	}
	for _, l := range lines {
		env.Warn("%s", l)
	}
	env.Hint("undecided rules do not fail the gate; --inconclusive fail changes that")
	return nil
}

// ruleKind returns "threshold" if the rule is the threshold of its metric, otherwise
// "gate".
func ruleKind(rep *report.Report, r gate.Result) string {
	for _, m := range rep.Header.Metrics {
		if m.Name == r.Metric && m.Threshold != nil && *m.Threshold == r.Want && r.Diff == nil {
			return "threshold"
		}
	}
	return "gate"
}
