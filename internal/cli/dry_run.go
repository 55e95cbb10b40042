package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
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
	e, err := j.Estimate(ctx, seen)
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
	page := struct {
		wire.Estimate
		// Free is why judging costs nothing; if it costs something, Who judges.
		Free, Who, Table string
		PerCase          float64
		Above            bool
	}{Estimate: e}
	switch {
	case h.Judge == nil && slices.ContainsFunc(h.Metrics, func(m assay.MetricInfo) bool { return m.Judged }):
		page.Free = "no judge: judged metrics are not measured, and the run costs nothing but what the target does"
	case h.Judge == nil:
		page.Free = "no metric is judged: the run costs nothing but what the target does"
	case h.Judge.Estimate && len(h.Judge.Delegates()) == 0:
		page.Free = "judged offline, as estimates: the run costs nothing but what the target does"
	default:
		page.Who, page.Table = judgesOf(h, e.Passes), estimateTable(e)
		page.PerCase, page.Above = float64(e.Together.Calls)/float64(e.Cases), !e.Asked && seen != nil
	}
	return errors.Join(printPage(env.Stdout, "dry_run", page), j.Unmet())
}

// judgesOf names the judge of a run, and those of single tasks.
func judgesOf(h assay.Header, passes int) string {
	who := h.Judge.Provider + " " + h.Judge.Model
	if h.Judge.Passes > 1 {
		who += fmt.Sprintf(", up to %d passes", passes)
	}
	for _, task := range h.Judge.Delegates() {
		who += fmt.Sprintf("; %s by %s %s", task, h.Judge.Tasks[task].Provider, h.Judge.Tasks[task].Model)
	}
	return who
}

// estimateTable has a row for each judged metric, and one for all together.
func estimateTable(e wire.Estimate) string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "metric\tcalls\ttokens in\ttokens out\tcost\t")
	for _, t := range append(slices.Clone(e.Metrics), e.Together) {
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%s\t\n", t.Name, t.Calls, t.Usage.InputTokens, t.Usage.OutputTokens, t.Dollars())
	}
	_ = w.Flush() // a strings.Builder never fails
	return b.String()
}
