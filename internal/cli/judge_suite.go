package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

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
			return errors.New("bias is measured of judges that rule on whole answers, not on support alone: want --judge PROVIDER:MODEL")
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
	fmt.Fprintf(out, "judge %s\n\n", oneLine(judgeLine(r.Judge)))
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "test\teffect\tinterval (%.0f %%)\tat most\tn\tlimit\t\n", 100*r.Level)
	for _, t := range r.Tests {
		form := "%.3f"
		if strings.Contains(t.Limit, "±") {
			form = "%+.3f"
		}
		printPart(w, form, t.Name, t.Part, t.Limit+"\t"+string(t.Outcome))
		for _, p := range t.Parts {
			if p.By != "template" || p.Effect > 0 {
				printPart(w, form, "  "+p.By+" "+p.Name, p, "\t")
			}
		}
	}
	if err := w.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(out)
	for _, t := range r.Tests {
		fmt.Fprintf(out, "%s: %s", t.Name, t.Doc)
		if t.Unread > 0 {
			fmt.Fprintf(out, "; %d without a ruling", t.Unread)
		}
		fmt.Fprintln(out)
	}
	for i, t := range r.Trials {
		if i == 0 {
			fmt.Fprintln(out)
		}
		if i == 10 {
			fmt.Fprintf(out, "… and %d more (--json lists them)\n", len(r.Trials)-i)
			break
		}
		fmt.Fprintf(out, "%s, %s: %s: %s\n", t.Group, t.Fact, trialResult(t), wrapLine(t.Text))
	}
	if r.Fit {
		fmt.Fprintln(out, "\nvalid for gating")
		return nil
	}
	fmt.Fprintf(out, "\nNOT valid for gating:\n  %s\n", strings.Join(r.Reasons, "\n  "))
	return nil
}

// printPart writes a row of a table of effects; form is that of its numbers.
func printPart(w io.Writer, form, name string, p suite.Part, limit string) {
	if p.N == 0 {
		fmt.Fprintf(w, "%s\t–\t\t\t0\t%s\n", name, limit)
		return
	}
	interval, most := "", ""
	if p.Interval != nil {
		interval = fmt.Sprintf(form+"…"+form, p.Interval.Lo, p.Interval.Hi)
	}
	if p.Upper > 0 {
		most = fmt.Sprintf(form, p.Upper)
	}
	fmt.Fprintf(w, "%s\t"+form+"\t%s\t%s\t%d\t%s\n", name, p.Effect, interval, most, p.N, limit)
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
