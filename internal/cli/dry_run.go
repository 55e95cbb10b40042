package cli

import (
	"context"
	"fmt"
	"text/tabwriter"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/config"
	"github.com/assay-eval/assay/internal/job"
	"github.com/assay-eval/assay/internal/text"
)

// dryRun checks everything that a run needs, and says what judging would take.
// No model is asked and nothing is kept.
func dryRun(ctx context.Context, env *Env, r *config.Resolved, world job.World) error {
	if r.Dataset == "" {
		return noDataset()
	}
	j, err := prepare(ctx, env, r, world)
	if err != nil {
		return err
	}
	defer j.Close()
	e, err := j.Estimate(ctx)
	if err != nil {
		return err
	}
	h := j.Header()
	fmt.Fprintf(env.Stdout, "%s · %d cases · target %s · %d metrics\n", text.Visible(h.Dataset.Name), e.Cases, h.Target.Adapter, len(h.Metrics))
	for _, w := range h.Warnings {
		env.Warn("%s", w)
	}
	switch {
	case h.Judge == nil:
		fmt.Fprintln(env.Stdout, "no metric is judged: the run costs nothing but what the target does")
	case h.Judge.Estimate:
		fmt.Fprintln(env.Stdout, "judged offline, as estimates: the run costs nothing but what the target does")
	case e.Sampled == 0:
		return fmt.Errorf("the target answered none of the cases that an estimate needs")
	default:
		return printEstimate(env, h, e)
	}
	return nil
}

func printEstimate(env *Env, h assay.Header, e job.Estimate) error {
	fmt.Fprintf(env.Stdout, "judge %s %s, up to %d passes\n\n", h.Judge.Provider, text.Visible(h.Judge.Model), e.Passes)
	w := tabwriter.NewWriter(env.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "metric\tcalls\ttokens in\ttokens out\tcost\t")
	row := func(t job.Toll) {
		cost := assay.Dollars(t.Usage.Cost)
		if !t.Priced {
			cost = "unknown"
		}
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%s\t\n", t.Name, t.Calls, t.Usage.InputTokens, t.Usage.OutputTokens, cost)
	}
	for _, t := range e.Metrics {
		row(t)
	}
	row(e.Together)
	if err := w.Flush(); err != nil {
		return err
	}
	fmt.Fprintf(env.Stdout, "\nEach metric as if it were alone; together they share questions: %.1f calls a case.\nEstimated from %d of %d cases by asking a stand-in the same questions",
		float64(e.Together.Calls)/float64(e.Cases), e.Sampled, e.Cases)
	if e.Most > e.Together.Calls {
		fmt.Fprintf(env.Stdout, "; passes that never agree would make it %d calls", e.Most)
	}
	fmt.Fprintln(env.Stdout, ".")
	return nil
}
