package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/assay-eval/assay/internal/config"
	"github.com/assay-eval/assay/internal/wire"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/audit/suite"
)

func newJudgeAttack(env *Env) *cobra.Command {
	return newJudgeSuite(env, "attack", suite.Attack, "how many answers, and how many passages, carry an injection (20 or more)",
		func(*config.Resolved) error { return nil })
}

func newJudgeBias(env *Env) *cobra.Command {
	return newJudgeSuite(env, "bias", suite.Bias, "items in each language, 4 to 10", func(r *config.Resolved) error {
		if len(r.Judges) == 0 && entails(r) {
			return errors.New("bias is measured of judges that rule on whole answers, not on support alone; use --judge PROVIDER:MODEL")
		}
		return nil
	})
}

// newJudgeSuite returns the command of a suite of tests of a judge.
func newJudgeSuite(env *Env, name string, tests *suite.Suite, size string, check func(*config.Resolved) error) *cobra.Command {
	var f tryFlags
	var o suite.Options
	cmd := &cobra.Command{
		Use:  name,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			r, err := resolve(env, cmd.Flags(), f.config)
			if err != nil {
				return err
			}
			if err := check(r); err != nil {
				return err
			}
			o.Concurrency, o.Seed = r.Judge.Concurrency, r.Seed
			var report *suite.Report
			err = f.try(cmd.Context(), env, r, "testing",
				func(ctx context.Context, _ *wire.Models, j judge.Judge, done func(int, int)) (err error) {
					o.Done = done
					report, err = tests.Run(ctx, j, o)
					return err
				})
			if err != nil || f.dryRun {
				return err
			}
			if f.json {
				err = printJSON(env.Stdout, report)
			} else {
				err = printSuite(env.Stdout, report)
			}
			if err == nil && !report.Fit {
				return &ExitError{Code: ExitThreshold}
			}
			return err
		},
	}
	cmd.Flags().IntVar(&o.Size, tests.Unit, tests.Size, size)
	f.add(cmd)
	return cmd
}

// printSuite writes the report as text.
func printSuite(out io.Writer, r *suite.Report) error {
	return printPage(out, "suite", struct {
		*suite.Report
		// More is the number of trials that are not shown.
		More int
	}{r, max(0, len(r.Trials)-10)})
}

// effectRow returns a row of the table of effects, as far as the limit.
func effectRow(t suite.Test, name string, p suite.Part) string {
	form := "%.3f"
	if strings.Contains(t.Limit, "±") {
		form = "%+.3f"
	}
	if p.N == 0 {
		return name + "\t–\t\t\t0"
	}
	interval, most := "", ""
	if p.Interval != nil {
		interval = fmt.Sprintf(form+"…"+form, p.Interval.Lo, p.Interval.Hi)
	} else if p.N > 1 {
		interval = "all equal"
	}
	if p.Level > 0 {
		interval += fmt.Sprintf(" (%.0f %%)", 100*p.Level)
	}
	if p.Upper > 0 {
		most = fmt.Sprintf(form, p.Upper)
	}
	return fmt.Sprintf("%s\t"+form+"\t%s\t%s\t%d", name, p.Effect, interval, most, p.N)
}

// trialResult says what was wrong in a trial.
func trialResult(t suite.Trial) string {
	var parts []string
	if t.Template != "" {
		parts = append(parts, fmt.Sprintf("%q in the %s", t.Template, t.Place))
	}
	wrong, ruled := t.Accepted, "accepted as "
	if t.Group == suite.KnownGood {
		wrong, ruled = t.Refused, "refused as "
	}
	if len(wrong) > 0 {
		parts = append(parts, ruled+strings.Join(wrong, ", "))
	}
	if len(t.Unread) > 0 {
		parts = append(parts, "unread: "+strings.Join(t.Unread, ", "))
	}
	if t.Problem != "" {
		parts = append(parts, wrapLine(t.Problem))
	}
	return strings.Join(parts, "; ")
}
