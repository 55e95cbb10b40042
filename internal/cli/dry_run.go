package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"text/tabwriter"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/config"
	"github.com/assay-eval/assay/internal/text"
	"github.com/assay-eval/assay/internal/wire"
	"github.com/assay-eval/assay/llm"
)

// dryRun checks everything that a run needs: it asks the target one case, prints the
// request and how the reply was read, and prints the estimated cost of judging. It
// calls no judge and stores nothing.
func dryRun(ctx context.Context, env *Env, r *config.Resolved, world wire.World) error {
	if r.Dataset == "" {
		return noDataset()
	}
	world.Dry = true
	j, err := prepare(ctx, r, world)
	if err != nil {
		return err
	}
	defer j.Close()
	warnRefused(env, r, j)
	p, err := j.Probe(ctx)
	if err != nil {
		return err
	}
	var seen *assay.Response
	if p.Err == nil {
		seen = &p.Response
	}
	e, err := j.Estimator().Estimate(ctx, seen)
	if err != nil {
		return err
	}
	h := j.Header()
	draws := ""
	if h.Repeat > 1 {
		draws = fmt.Sprintf(" × %d draws", h.Repeat)
	}
	fmt.Fprintf(env.Stdout, "%s · %d cases%s · target %s · %d metrics\n", text.Visible(h.Dataset.Name), e.Cases, draws, h.Target.Adapter,
		len(h.Metrics))
	for _, w := range h.Warnings {
		env.Warn("%s", w)
	}
	showProbe(env.Stdout, p)
	// A model of the pipeline without a key was not called, so there is no HTTP status.
	var keyless *llm.Error
	if p.Err != nil && !(errors.As(p.Err, &keyless) && keyless.Kind == llm.KindAuth && keyless.Status == 0) {
		return hinted(fmt.Errorf("the target did not answer case %q: %w", p.Case.ID, p.Err), "assay doctor looks at everything that a run needs")
	}
	if t := e.Target; t.Calls > 0 {
		fmt.Fprintf(env.Stdout, "the stages of the pipeline ask models: about %d calls, %d tokens in, %d out, cost %s, as a stand-in answers\n",
			t.Calls, t.Usage.InputTokens, t.Usage.OutputTokens, t.Dollars())
	}
	if e.Ladder > 0 {
		times := ""
		if e.Ladder > 1 {
			times = fmt.Sprintf(" up to %d times", e.Ladder)
		}
		fmt.Fprintf(env.Stdout, "--attribution ladder asks for each wrong answer again, stage by stage, each%s: that is not in these figures; "+
			"--max-cost bounds it\n", times)
	}
	switch {
	case h.Judge == nil && slices.ContainsFunc(h.Metrics, func(m assay.MetricInfo) bool { return m.Judged }):
		fmt.Fprintln(env.Stdout, "no judge: judged metrics are not measured, and the run costs nothing but what the target does")
	case h.Judge == nil:
		fmt.Fprintln(env.Stdout, "no metric is judged: the run costs nothing but what the target does")
	case h.Judge.Estimate && len(h.Judge.Delegates()) == 0:
		fmt.Fprintln(env.Stdout, "judged offline, as estimates: the run costs nothing but what the target does")
	default:
		err = printEstimate(env, h, e, seen != nil)
	}
	return errors.Join(err, j.Unmet())
}

func printEstimate(env *Env, h assay.Header, e wire.Estimate, probed bool) error {
	who := h.Judge.Provider + " " + h.Judge.Model
	if h.Judge.Passes > 1 {
		who += fmt.Sprintf(", up to %d passes", e.Passes)
	}
	for _, task := range h.Judge.Delegates() {
		who += fmt.Sprintf("; %s by %s %s", task, h.Judge.Tasks[task].Provider, h.Judge.Tasks[task].Model)
	}
	fmt.Fprintf(env.Stdout, "judge %s\n\n", text.Visible(who))
	w := tabwriter.NewWriter(env.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "metric\tcalls\ttokens in\ttokens out\tcost\t")
	row := func(t wire.CallEstimate) {
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%s\t\n", t.Name, t.Calls, t.Usage.InputTokens, t.Usage.OutputTokens, t.Dollars())
	}
	for _, t := range e.Metrics {
		row(t)
	}
	row(e.Together)
	if err := w.Flush(); err != nil {
		return err
	}
	about := ""
	if !e.Asked && probed {
		about = " about the response above"
	}
	fmt.Fprintf(env.Stdout,
		"\nEach metric as if it were alone; together they share questions: %.1f calls a case.\nEstimated from %d of %d cases by asking a "+
			"stand-in the same questions%s",
		float64(e.Together.Calls)/float64(e.Cases), e.Sampled, e.Cases, about)
	if e.Most > e.Together.Calls {
		fmt.Fprintf(env.Stdout, "; passes that never agree would make it %d calls", e.Most)
	}
	fmt.Fprintln(env.Stdout, ".")
	if t := e.Canaries; t.Calls > 0 {
		fmt.Fprintf(env.Stdout, "After the cases the judge is asked its canaries: %d calls more, %d tokens in, %d out, cost %s; as much again "+
			"in the first run of this judge (--canary 0 leaves them out).\n", t.Calls, t.Usage.InputTokens, t.Usage.OutputTokens, t.Dollars())
	}
	return nil
}
