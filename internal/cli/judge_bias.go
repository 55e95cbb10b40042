package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/assay-eval/assay/internal/wire"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/audit/probe"
)

func newJudgeBias(env *Env) *cobra.Command {
	var f tryFlags
	var o probe.Options
	cmd := &cobra.Command{
		Use:  "bias",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			r, err := resolve(env, cmd.Flags(), f.config)
			if err != nil {
				return err
			}
			if len(r.Judges) == 0 && entails(r) {
				return errors.New("bias is measured of judges that rule on whole answers, not on support alone: want --judge PROVIDER:MODEL")
			}
			o.Concurrency, o.Seed = r.Judge.Concurrency, r.Seed
			var report *probe.Report
			err = f.try(cmd.Context(), env, r, "testing",
				func(ctx context.Context, _ *wire.Models, j judge.Judge, done func(int, int)) (err error) {
					o.Done = done
					report, err = probe.Bias(ctx, j, o)
					return err
				})
			if err != nil || f.dryRun {
				return err
			}
			return f.conclude(env.Stdout, report, func() error { return printTests(env.Stdout, report) }, report.Fit)
		},
	}
	cmd.Flags().IntVar(&o.Items, "items", 10, "items in each language, 4 to 10")
	f.add(cmd)
	return cmd
}

// printTests writes the report as text.
func printTests(out io.Writer, r *probe.Report) error {
	fmt.Fprintf(out, "judge %s\n\n", oneLine(judgeLine(r.Judge)))
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "test\teffect\tinterval (%.0f %%)\tn\tlimit\t\n", 100*r.Level)
	for _, t := range r.Tests {
		signed := strings.Contains(t.Limit, "±")
		row(w, t.Name, t.Effect, interval(t.Interval, signed), t.N, t.Limit, string(t.Outcome), signed)
		for _, p := range t.Parts {
			row(w, "  "+p.Name, p.Effect, interval(p.Interval, signed), p.N, "", "", signed)
		}
	}
	if err := w.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(out)
	for _, t := range r.Tests {
		fmt.Fprintf(out, "%s: %s", t.Name, t.Doc)
		if t.Unread > 0 && !strings.Contains(t.Note, "without a ruling") {
			fmt.Fprintf(out, "; %d without a ruling", t.Unread)
		}
		if t.Note != "" {
			fmt.Fprintf(out, "; %s", wrapLine(t.Note))
		}
		fmt.Fprintln(out)
	}
	if r.Fit {
		fmt.Fprintln(out, "\nno bias beyond the limits")
		return nil
	}
	fmt.Fprintf(out, "\nBIASED beyond the limits:\n  %s\n", strings.Join(r.Reasons, "\n  "))
	return nil
}

func row(w io.Writer, name string, effect float64, ci string, n int, limit, outcome string, signed bool) {
	if n == 0 {
		fmt.Fprintf(w, "%s\t–\t\t0\t%s\t%s\n", name, limit, outcome)
		return
	}
	form := "%s\t%.3f\t%s\t%d\t%s\t%s\n"
	if signed {
		form = "%s\t%+.3f\t%s\t%d\t%s\t%s\n"
	}
	fmt.Fprintf(w, form, name, effect, ci, n, limit, outcome)
}
