package wire

import (
	"context"
	"fmt"
	"slices"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/gate"
	"github.com/assay-eval/assay/internal/config"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/metric"
	"github.com/assay-eval/assay/metric/stage"
)

// repetitions is the number of times a nondeterministic target is asked for
// each rung of a ladder: the smallest number that has a majority.
const repetitions = 3

// measureOutcome reads the rule that decides whether a case came out right, and
// adds its metric.
func (w *wiring) measureOutcome(metrics []metric.Metric, cases *assay.Cases, reports metric.Part) (
	o stage.Outcome, _ []metric.Metric, _ error,
) {
	if w.cfg.Outcome == "" {
		return o, metrics, nil
	}
	wrong := func(want string) (stage.Outcome, []metric.Metric, error) {
		return o, nil, fmt.Errorf("outcome %q: expected %s, such as \"token_f1 >= 0.5\"", w.cfg.Outcome, want)
	}
	rule, err := gate.ParseRule(w.cfg.Outcome)
	if err != nil {
		return o, nil, fmt.Errorf("outcome: %w", err)
	}
	if rule.Versus || rule.Bound != "" || !aboutMetric(rule.Quantity) {
		return wrong("a rule on a metric of a single case")
	}
	m, err := w.known.Parse(rule.Quantity)
	if err != nil {
		return o, nil, fmt.Errorf("outcome %q: %w", w.cfg.Outcome, err)
	}
	if m.Def.Follows {
		return wrong("a metric that does not depend on attribution")
	}
	if err := applicable([]metric.Metric{m}, cases, reports); err != nil {
		return o, nil, fmt.Errorf("outcome: %w", err)
	}
	if !slices.ContainsFunc(metrics, func(o metric.Metric) bool { return o.Name == m.Name }) {
		metrics = append(metrics, m)
	}
	return stage.Outcome{Metric: m.Name, Op: rule.Op, Limit: rule.Limit}, metrics, nil
}

// openAttribution prepares attribution, which finds the stage that lost a case.
// Unless the user asks for it, there is none for a target that reports no trace
// or for cases without evidence to follow. notes tell of cases that cannot be followed.
func (p *Prepared) openAttribution(grade int) (_ *stage.Attributor, notes []string, _ error) {
	t := p.target
	mode := p.cfg.Attribution
	wrong := func(why string) error {
		return config.About("attribution", fmt.Errorf("attribution %s: %s", mode, why))
	}
	follows := slices.ContainsFunc(p.metrics, func(m metric.Metric) bool { return m.Def.Follows })
	switch {
	case mode == "off" && follows:
		return nil, nil, wrong("a metric of the run needs attribution; use --attribution auto")
	case mode == "off":
		return nil, nil, nil
	case mode == "auto" && !follows && t.Reports&metric.ReadTrace == 0:
		return nil, nil, nil
	case !p.cases.Any(func(c *assay.Case) bool { return stage.Labelled(c.Want) }):
		if mode == "ladder" {
			return nil, nil, wrong("no case has a label to follow: expected expected documents, passages, an ideal answer, " +
				"keywords, sub-questions, a transcript or a short reference answer")
		}
		return nil, p.untraceable(stage.New(stage.Options{})), nil
	}
	o := stage.Options{Outcome: p.outcome, Score: p.rescore(grade), Timeout: p.cfg.Timeout, Untraced: follows || mode != "auto", Repeats: 1}
	o.Classes = stage.Classes(p.cases)
	o.Index, _ = t.Target.(assay.Index)
	staged, ok := t.Target.(assay.Staged)
	if mode == "ladder" && !ok {
		return nil, nil, wrong("the target cannot be asked with given outputs of its stages; use --adapter builtin, or --attribution funnel")
	}
	if ok {
		o.Ladder = t.Reports&metric.ReadAnswer != 0 && (mode == "ladder" || mode == "auto" && t.Free && !p.paysToDecide())
		o.Again = t.Free || o.Ladder
		o.Staged = staged
	}
	if !t.Free {
		o.Repeats = repetitions
	}
	out := stage.New(o)
	return out, p.untraceable(out), nil
}

// untraceable says of how many cases the evidence cannot be followed although they have a
// reference answer, and which label it takes.
func (p *Prepared) untraceable(a *stage.Attributor) []string {
	n := p.cases.Count(func(c *assay.Case) bool {
		return len(c.Want.Answers) > 0 && (c.Want.Answerable == nil || *c.Want.Answerable) && !a.Traces(c)
	})
	if n == 0 {
		return nil
	}
	return []string{fmt.Sprintf("%d of %d cases cannot be attributed to a stage: their only label is a reference answer that cannot be found "+
		"by its words (yes or no, a class, a small number, a long text, or not in the corpus); expected_contexts, reference_contexts or "+
		"expected_keywords would allow it", n, p.cases.Len())}
}

// paysToDecide reports whether deciding if another answer to a case is right
// requires a model call.
func (p *Prepared) paysToDecide() bool {
	if !models(p.cfg) {
		return false
	}
	return slices.ContainsFunc(p.metrics, func(m metric.Metric) bool {
		return len(m.Asks()) > 0 && p.outcome.Reads(m.Name)
	})
}

// rescore returns a function that scores another response to a case by one
// metric of the run.
func (p *Prepared) rescore(grade int) func(context.Context, string, *assay.Case, *assay.Response) (assay.Score, error) {
	return func(ctx context.Context, name string, c *assay.Case, r *assay.Response) (assay.Score, error) {
		i := slices.IndexFunc(p.metrics, func(m metric.Metric) bool { return m.Name == name })
		if i < 0 {
			return assay.Score{}, fmt.Errorf("metric %q is not measured", name)
		}
		m := p.metrics[i]
		in := metric.Input{Case: c, Response: r, MaxGrade: grade}
		if m.Def.Embeds {
			in.Embedder = p.embed
		}
		if len(m.Asks()) > 0 && p.judge != nil {
			plan, by := p.asked, p.judge
			plan.Asks = m.AsksAbout(c)
			if p.redraw != nil {
				by = p.redraw(c.Draw)
			}
			var err error
			if in.Assessment, err = judge.Assess(ctx, by, plan, c, r); err != nil {
				return assay.Score{}, err
			}
		}
		return m.Score(ctx, in), nil
	}
}
