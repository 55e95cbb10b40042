package cli

import (
	"context"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/assay-eval/assay/internal/wire"
	"github.com/assay-eval/assay/judge/audit/probe"
)

func newJudgeProbe(env *Env) *cobra.Command {
	var f tryFlags
	var o probe.Options
	cmd := &cobra.Command{
		Use:   "probe",
		Short: "Test whether a model can judge at all",
		Long: `Test whether a model can judge at all, on small tasks with known answers: whether
its replies are readable, whether its quotes occur in the passage, whether it
notices a changed number, negation or name, whether it accepts true statements, and
how often it contradicts itself.

The test uses one draw of the first judge, without voting. The exit code is 1 when
the model is unfit.`,
		Annotations: map[string]string{exampleRuns: "not, it needs a model that can judge"},
		Example: `  assay judge probe --judge ollama:qwen3 --dry-run
  assay judge probe --judge ollama:qwen3
  assay judge probe --judge local:my-model --items 4 --json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			r, err := resolve(env, cmd.Flags(), f.config)
			if err != nil {
				return err
			}
			o.Concurrency, o.Seed = r.Judge.Concurrency, r.Seed
			var report *probe.Report
			err = f.try(cmd.Context(), env, r, trial{what: "probing", passes: 1,
				run: func(ctx context.Context, b wire.Bench, done func(int, int)) (err error) {
					o.Done = done
					report, err = probe.Probe(ctx, b.Draw, o)
					return err
				}})
			if err != nil || f.dryRun {
				return err
			}
			return f.showTests(env, report, "fit to judge", "UNFIT to judge")
		},
	}
	cmd.Flags().IntVar(&o.Items, "items", 10, "items in each language, 4 to 10")
	f.add(cmd)
	return cmd
}

// showTests prints a report of tests. It returns an error with exit code 1 if the judge
// is not fit.
func (f *tryFlags) showTests(env *Env, r *probe.Report, fit, unfit string) error {
	var err error
	if f.json {
		err = printJSON(env.Stdout, r)
	} else {
		err = printTests(env.Stdout, r, fit, unfit)
	}
	if err == nil && !r.Fit {
		return &ExitError{Code: ExitThreshold}
	}
	return err
}

func printTests(out io.Writer, r *probe.Report, fit, unfit string) error {
	fmt.Fprintf(out, "judge %s\n\n", oneLine(judgeLine(r.Judge)))
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "test\teffect\tinterval (%.0f %%)\tn\tlimit\t\n", 100*r.Level)
	for _, t := range r.Tests {
		if t.Outcome == probe.NotMeasured {
			fmt.Fprintf(w, "%s\t–\t\t\t\t%s\n", t.Name, t.Outcome)
			continue
		}
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
		fmt.Fprintf(out, "\n%s\n", fit)
		return nil
	}
	fmt.Fprintf(out, "\n%s:\n  %s\n", unfit, strings.Join(r.Reasons, "\n  "))
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
