package wire

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/gate"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/metric"
	"github.com/assay-eval/assay/metric/catalog"
	"github.com/assay-eval/assay/metric/stage"
)

// repetitions is how often a target that may answer differently each time is
// asked for each rung of a ladder: the fewest that have a majority.
const repetitions = 3

// measureOutcome reads the rule that decides whether a case came out right, and
// has its metric measured.
func (j *Job) measureOutcome(t opened) error {
	if j.cfg.Outcome == "" {
		return nil
	}
	wrong := func(want string) error {
		return fmt.Errorf("outcome %q: want %s, such as \"token_f1 >= 0.5\"", j.cfg.Outcome, want)
	}
	if j.cfg.Attribution == "off" {
		return fmt.Errorf("outcome %q: it serves attribution, which is off: want --attribution auto, or no outcome", j.cfg.Outcome)
	}
	rule, err := gate.ParseRule(j.cfg.Outcome)
	if err != nil {
		return fmt.Errorf("outcome: %w", err)
	}
	if rule.Versus || rule.Bound != "" || !aboutMetric(rule.Quantity) {
		return wrong("a rule on what a metric says of one case")
	}
	m, err := catalog.All().Parse(rule.Quantity)
	if err != nil {
		return fmt.Errorf("outcome %q: %w", j.cfg.Outcome, err)
	}
	if m.Def.Follows {
		return wrong("a metric that does not itself follow the evidence")
	}
	if err := applicable([]metric.Metric{m}, j.cases, t.reports); err != nil {
		return fmt.Errorf("outcome: %w", err)
	}
	j.outcome = stage.Outcome{Metric: m.Name, Op: rule.Op, Limit: rule.Limit}
	if !slices.ContainsFunc(j.metrics, func(o metric.Metric) bool { return o.Name == m.Name }) {
		j.metrics = append(j.metrics, m)
	}
	return nil
}

// openAttribution prepares what finds the stage that lost a case. A target that
// tells no trace, and cases without evidence to follow, have none unless somebody
// asks.
func (j *Job) openAttribution(t opened) error {
	mode := j.cfg.Attribution
	follows := slices.ContainsFunc(j.metrics, func(m metric.Metric) bool { return m.Def.Follows })
	switch {
	case mode == "off" && follows:
		return errors.New("attribution off: a metric of the run follows the evidence: want --attribution auto")
	case mode == "off":
		return nil
	case mode == "auto" && !follows && t.reports&metric.ReadTrace == 0:
		return nil
	case !slices.ContainsFunc(j.cases, func(c assay.Case) bool { return stage.Labelled(c.Want) }):
		if mode == "ladder" {
			return errors.New("attribution ladder: no case has what is right: want expected documents, passages, an ideal answer, sub-questions or a transcript")
		}
		return nil
	}
	o := stage.Options{Outcome: j.outcome, Score: j.rescore, Timeout: j.cfg.Timeout, Untraced: follows || mode != "auto", Repeats: 1}
	o.Index, _ = j.target.(assay.Index)
	staged, ok := j.target.(assay.Staged)
	if mode == "ladder" && !ok {
		return errors.New("attribution ladder: the target cannot be asked with outputs in the stages' places: want --adapter builtin, or --attribution funnel")
	}
	if ok {
		o.Ladder = t.reports&metric.ReadAnswer != 0 && (mode == "ladder" || mode == "auto" && t.free && !j.paysToDecide())
		o.Again = t.free || o.Ladder
		o.Staged = staged
	}
	if !t.free {
		o.Repeats = repetitions
	}
	j.attribute = stage.New(o)
	return nil
}

// paysToDecide reports whether a model must be asked to tell whether another
// answer to a case is right.
func (j *Job) paysToDecide() bool {
	if estimates(j.cfg) {
		return false
	}
	return slices.ContainsFunc(j.metrics, func(m metric.Metric) bool {
		return m.Def.Asks != 0 && (m.Name == j.outcome.Metric || j.outcome.Metric == "" && m.Name == "answer_correctness")
	})
}

// rescore scores another response to a case by one metric of the run.
func (j *Job) rescore(ctx context.Context, name string, c *assay.Case, r *assay.Response) (assay.Score, error) {
	i := slices.IndexFunc(j.metrics, func(m metric.Metric) bool { return m.Name == name })
	if i < 0 {
		return assay.Score{}, fmt.Errorf("metric %q is not measured", name)
	}
	m := j.metrics[i]
	in := metric.Input{Case: c, Response: r, MaxGrade: j.grade}
	if m.Def.Embeds {
		in.Embedder = j.embed
	}
	if m.Def.Asks != 0 && j.judge != nil {
		plan, by := j.plan, j.judge
		plan.Asks = m.Def.Asks
		if j.redraw != nil {
			by = j.redraw(c.Draw)
		}
		var err error
		if in.Assessment, err = judge.Assess(ctx, by, plan, c, r); err != nil {
			return assay.Score{}, err
		}
	}
	return m.Score(ctx, in), nil
}
