package cli

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/assay-eval/assay/gate"
	"github.com/assay-eval/assay/internal/atomic"
	"github.com/assay-eval/assay/internal/config"
	"github.com/assay-eval/assay/internal/text"
	"github.com/assay-eval/assay/internal/wire"
	"github.com/assay-eval/assay/report"
	"github.com/assay-eval/assay/report/words"
)

func newBaselineSave(env *Env) *cobra.Command {
	var file, output, reason string
	var show bool
	cmd := &cobra.Command{
		Use:  "save [RUN]",
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			r, err := resolveStored(env, cmd.Flags(), file)
			if err != nil {
				return err
			}
			rep, err := finishedRun(cmd, env, r.Store, firstOf(args))
			if err != nil {
				return err
			}
			path := baselineFile(r, output)
			old := earlierBaseline(env, path)
			b, err := writeBaseline(env, r, rep, path, reason, nil)
			if err != nil {
				return err
			}
			if show {
				return writeDelta(env.Stdout, old, b, rep.Header.Metrics)
			}
			return showBaseline(env.Stdout, path, b)
		},
	}
	addConfigFlags(cmd, &file, "store")
	cmd.Flags().StringVarP(&output, "output", "o", "", "file to write (default: that of the configuration, else "+defaultBaseline+")")
	cmd.Flags().StringVar(&reason, "reason", "", "why the baseline is what it is, for those who read it")
	cmd.Flags().BoolVar(&show, "print", false, "print each metric with what changed, in the form of a commit message")
	return cmd
}

// writeBaseline writes the baseline of a run, and says so. It succeeds old if that is
// not nil.
func writeBaseline(env *Env, r *config.Resolved, rep *report.Report, path, reason string, old *gate.Baseline) (*gate.Baseline, error) {
	b, err := gate.NewBaseline(rep.Run(), reason, env.Now())
	if err != nil {
		return nil, err
	}
	b.Follow(old)
	if err := atomic.WriteFile(env.Path(path), func(w io.Writer) error { return b.Write(w) }); err != nil {
		return nil, err
	}
	env.Warn("wrote %s: %s of %s over %d cases, from run %s", path, counted(len(b.Metrics), "metric"), b.Dataset.Name, b.Dataset.Cases, b.Run)
	if n := rep.Summary.Errors; n > 0 {
		env.Warn("warning: the target failed %d of %d cases; later runs are compared with that", n, rep.Summary.Cases)
	}
	if r.Baseline != path {
		env.Hint("--baseline %s compares a run with it, and so does \"baseline: %s\" in eval-config.yaml", path, path)
	}
	return b, nil
}

// warnDrifts warns of metrics that lost more than their tolerance over several
// approvals.
func warnDrifts(env *Env, r *config.Resolved, b *gate.Baseline) error {
	tolerances, err := wire.Tolerances(r)
	if err != nil {
		return err
	}
	for _, d := range (gate.Policy{Tolerances: tolerances}).Drifts(b) {
		env.Warn("warning: %s: %s since it was first approved (%s → %s): more than its tolerance of %s",
			text.Visible(d.Metric), change(d.Unit, d.Now-d.First), amount(d.Unit, d.First), amount(d.Unit, d.Now), amount(d.Unit, d.Tolerance))
	}
	return nil
}

func newBaselineApprove(env *Env) *cobra.Command {
	var file, output, reason string
	var force bool
	cmd := &cobra.Command{
		Use:  "approve [RUN]",
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			reason = strings.TrimSpace(text.Visible(reason))
			if reason == "" {
				return errors.New("no reason given; use --reason TEXT")
			}
			r, err := resolveStored(env, cmd.Flags(), file)
			if err != nil {
				return err
			}
			rep, err := finishedRun(cmd, env, r.Store, firstOf(args))
			if err != nil {
				return err
			}
			if s := rep.Summary; s.Errors > 0 && !force {
				return hinted(fmt.Errorf("run %q: the target failed %d of %d cases", rep.Header.ID, s.Errors, s.Cases), "--force approves it anyway")
			}
			path := baselineFile(r, output)
			old := earlierBaseline(env, path)
			if old != nil {
				for _, refused := range old.Refuses(rep.Header) {
					fmt.Fprintf(env.Stdout, "refused: %s\n", text.Visible(refused.In(words.English)))
				}
			}
			b, err := writeBaseline(env, r, rep, path, reason, old)
			if err != nil {
				return err
			}
			return errors.Join(writeDelta(env.Stdout, old, b, rep.Header.Metrics), warnDrifts(env, r, b))
		},
	}
	addConfigFlags(cmd, &file, "store", "gate.tolerances")
	cmd.Flags().StringVarP(&output, "output", "o", "", "file to write (default: that of the configuration, else "+defaultBaseline+")")
	cmd.Flags().StringVar(&reason, "reason", "", "why the baseline changes; it is kept in the file")
	cmd.Flags().BoolVar(&force, "force", false, "approve a run in which the target failed")
	return cmd
}
