package wire

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/gate"
	"github.com/assay-eval/assay/internal/config"
	"github.com/assay-eval/assay/judge/question"
	"github.com/assay-eval/assay/metric"
	"github.com/assay-eval/assay/metric/catalog"
	"github.com/assay-eval/assay/metric/retrieval"
	"github.com/assay-eval/assay/metric/stage"
)

// defaults lists the metrics of a run whose user chose none, by the label that
// each needs; all that fit the labels of a dataset are taken. They are few,
// cheap, and each measures something that the others do not. Judged metrics are
// taken only if a model judges; estimates must be asked for.
var defaults = []struct {
	needs metric.Need
	judge who
	// reads is the part of a response without which the metrics are
	// meaningless.
	reads metric.Part
	names []string
}{
	{metric.NeedDocuments, always, metric.ReadPassages, []string{"hit@3", "mrr@10", "recall@10", "ndcg@10"}},
	{metric.NeedPassages, always, metric.ReadPassages, []string{"passage_hit@5", "passage_mrr@10", "passage_precision@5",
		"passage_recall@5"}},
	{metric.NeedKeywords, always, metric.ReadPassages, []string{"keyword_recall"}},
	{metric.NeedKeywords, always, metric.ReadAnswer, []string{"answer_keyword_recall"}},
	{metric.NeedChecks, always, metric.ReadAnswer, []string{"checks_passed"}},
	{metric.NeedAnswers, always, metric.ReadAnswer, []string{"token_f1", "semantic_similarity"}},
	{0, withModel, metric.ReadAnswer | metric.ReadPassages, []string{"faithfulness"}},
	{0, withModel, metric.ReadAnswer, []string{"answer_relevance"}},
	{metric.NeedAnswers, withModel, metric.ReadPassages, []string{"context_precision", "context_recall"}},
	{metric.NeedAnswers, withModel, metric.ReadAnswer, []string{"answer_correctness"}},
	// An estimate that embeds every answer, which costs most of the time of a run
	// without a model: only for cases about answers, or with no label at all.
	{metric.NeedAnswers, withoutModel, metric.ReadAnswer | metric.ReadPassages, []string{"support"}},
	{0, unlabelled, metric.ReadAnswer | metric.ReadPassages, []string{"support"}},
}

// who is the kind of judge with which a default is taken.
type who uint8

const (
	always who = iota
	withModel
	withoutModel
	unlabelled // no model judges, and no other metric fits
)

// applies reports whether a default is taken with or without a model as judge,
// beside those that were chosen before.
func (w who) applies(model bool, before []string) bool {
	switch w {
	case withModel:
		return model
	case withoutModel:
		return !model
	case unlabelled:
		return !model && before == nil
	}
	return true
}

// measured is what a run measures.
type measured struct {
	scoring scoring
	metrics []metric.Metric
	// listed is the number of the metrics that reports list. Any further one is only evidence of
	// whether cases are right.
	listed    int
	composite metric.Composite
	// outcome decides whether a case came out right; the zero value selects the
	// default of attribution.
	outcome stage.Outcome
	// unmet is why the run could not meet its limits, in a dry run.
	unmet error
}

// measure chooses the metrics of a run, including those that weights,
// thresholds, the gate and the outcome name, and the composite. left describes
// what was left out.
func (w *wiring) measure(r *config.Resolved, s scoring, p gate.Policy, cases *assay.Cases, t opened) (
	m measured, left []string, err error,
) {
	metrics, left, err := chooseMetrics(w.known, r.Metrics, cases, t.Reports, models(r.Config))
	if err != nil && !(errors.Is(err, errNothing) && len(r.Checks) > 0) {
		return m, nil, config.About("metrics", err)
	}
	metrics, more, err := w.addChecks(metrics, t.Reports)
	if err != nil {
		return m, nil, config.About("checks", err)
	}
	left = append(left, more...)
	if r.Metrics == nil && r.Similarity > 0 {
		if metrics, err = sameAnswer(metrics, r.Similarity); err != nil {
			return m, nil, err
		}
	}
	s.composite = s.composite || slices.ContainsFunc(p.Rules, func(r gate.Rule) bool { return r.Quantity == assay.CompositeName })
	metrics, more, err = s.extend(metrics, cases, t.Reports)
	if err != nil {
		return m, nil, err
	}
	left = append(left, more...)
	if metrics, more, err = gated(w.known, p, metrics, r.Metrics != nil, cases, t.Reports); err != nil {
		return m, nil, err
	}
	left = append(left, more...)
	m.scoring = s
	if m.composite, err = s.compose(metrics); err != nil {
		return m, nil, err
	}
	if m.outcome, m.metrics, err = w.measureOutcome(metrics, cases, t.Reports); err != nil {
		return m, nil, config.About("outcome", err)
	}
	if m.metrics, err = withhold(r.Config, m.metrics); err != nil {
		return m, nil, config.About("metrics", err)
	}
	m.listed = len(m.metrics)
	m.metrics = w.ownChecks(m.metrics, cases, t.Reports)
	if m.unmet = reachable(m, p); m.unmet != nil && !w.world.Dry {
		return m, nil, m.unmet
	}
	left = slices.Concat(left, tooDeep(m.metrics, t.Depth), tooHigh(m, p, cases))
	if r.Rubric != "" && !asksOf(m.metrics).Has(question.Marks.Name) {
		left = append(left, fmt.Sprintf("rubric %s: no metric of the run uses it; add rubric to the metrics", r.Rubric))
	}
	return m, left, nil
}

// sameAnswer adds to the similarity of an answer whether it passes the
// threshold that the user set.
func sameAnswer(metrics []metric.Metric, threshold float64) ([]metric.Metric, error) {
	i := slices.IndexFunc(metrics, func(m metric.Metric) bool { return m.Name == "semantic_similarity" })
	if i < 0 {
		return metrics, nil
	}
	m, err := catalog.All().Parse(fmt.Sprintf("semantic_similarity(threshold=%g)", threshold))
	return slices.Insert(metrics, i+1, m), err
}

// chooseMetrics parses the names, or takes the defaults that fit the labels of
// the cases and the reports of the target. left lists those that were left out
// because the target does not report what they read. A named metric that
// applies to no case is an error.
func chooseMetrics(known *metric.Catalog, names []string, cases *assay.Cases, reports metric.Part, model bool) (chosen []metric.Metric, left []string,
	err error) {
	if names != nil {
		chosen, err := known.ParseAll(names)
		if err != nil {
			return nil, nil, err
		}
		return chosen, nil, applicable(chosen, cases, reports)
	}
	for _, d := range defaults {
		fits := func(c *assay.Case) bool { return len(d.needs.Missing(c.Want)) == 0 }
		if !d.judge.applies(model, names) || !cases.Any(fits) {
			continue
		}
		missing := d.reads &^ reports
		if d.needs == metric.NeedChecks && cases.Any(beyondAnswer) {
			missing = 0
		}
		if missing == 0 {
			names = append(names, d.names...)
		} else {
			left = append(left, fmt.Sprintf("%s left out: the target does not report %s", strings.Join(d.names, ", "),
				strings.Join(missing.Names(), " and ")))
		}
	}
	if names == nil {
		return nil, left, errNothing
	}
	chosen, err = known.ParseAll(names)
	return chosen, left, err
}

// errNothing is why a run without chosen metrics measures none.
var errNothing = errors.New("no case has a label that a metric could use: expected expected documents, passages, keywords or answers")

// tooHigh warns of limits that a perfect ranking would miss, as where k ranks hold fewer documents
// than a case expects, or a case expects fewer than k.
func tooHigh(m measured, p gate.Policy, cases *assay.Cases) (out []string) {
	top := maxGrade(cases)
	for _, one := range m.metrics {
		var means, each []float64
		if limit, ok := m.scoring.thresholds[one.Name]; ok {
			means = append(means, limit)
		}
		for _, r := range p.Rules {
			switch {
			case r.Quantity != one.Name || r.Versus || !strings.HasPrefix(r.Op, ">"):
			case r.Bound == "" || r.Bound == "lower":
				means = append(means, r.Limit)
			case r.Bound == "min":
				each = append(each, r.Limit)
			}
		}
		best := retrieval.Best(one.Name)
		if best == nil || one.Def.Better == metric.Lower || means == nil && each == nil {
			continue
		}
		sum, n, least := 0.0, 0, one.Def.Range[1]
		for _, c := range cases.All() {
			if most, ok := best(c.Want.Documents, top); ok && c.Want.Documents != nil {
				sum, n, least = sum+most, n+1, min(least, most)
			}
		}
		warn := func(limits []float64, most float64, what string) {
			for _, limit := range limits {
				if n > 0 && limit > most+1e-9 {
					out = append(out, fmt.Sprintf("%s is at most %.3f on %s, because of the labels of documents: the limit %g cannot be met; "+
						"set a lower one, or use recall_cap@%d, which counts at most as many documents as the ranks hold",
						one.Name, most, what, limit, max(1, one.Params.K)))
				}
			}
		}
		warn(means, sum/float64(n), "these cases")
		warn(each, least, "one of the cases")
	}
	return out
}

// tooDeep warns of cutoffs beyond the number of passages that the target
// returns: missing ranks count as not relevant.
func tooDeep(metrics []metric.Metric, depth int) []string {
	var names []string
	deepest := 0
	for _, m := range metrics {
		if depth > 0 && m.Params.K > depth && m.Def.Reads&metric.ReadPassages != 0 {
			names = append(names, m.Name)
			deepest = max(deepest, m.Params.K)
		}
	}
	if names == nil {
		return nil
	}
	return []string{fmt.Sprintf("%s: only %d passages are retrieved, and the ranks below count as not relevant; use --top-k %d",
		strings.Join(names, ", "), depth, deepest)}
}

func applicable(metrics []metric.Metric, cases *assay.Cases, reports metric.Part) error {
	var problems []string
	for _, m := range metrics {
		if missing := m.Def.Reads &^ m.Def.Optional &^ reports; missing != 0 {
			problems = append(problems, fmt.Sprintf("metric %s reads %s, which the target does not report", m.Name,
				strings.Join(missing.Names(), " and ")))
			continue
		}
		if cases.Any(func(c *assay.Case) bool { ok, _ := m.Applies(c); return ok }) {
			continue
		}
		problem := fmt.Sprintf("metric %s needs %s, which no case has", m.Name, strings.Join(m.Def.Needs.Names(), " and "))
		if other := sibling(m, cases); other != "" {
			problem += fmt.Sprintf(": did you mean %q?", other)
		}
		problems = append(problems, problem)
	}
	if problems != nil {
		return fmt.Errorf("%s", strings.Join(problems, "\n"))
	}
	return nil
}

// sibling finds the metric of another family that fits the cases: the same
// question, asked of other labels.
func sibling(m metric.Metric, cases *assay.Cases) string {
	base := strings.TrimPrefix(strings.TrimPrefix(m.Name, "src_"), "passage_")
	for _, prefix := range []string{"", "passage_", "answer_"} {
		o, err := catalog.All().Parse(prefix + base)
		if err != nil || o.Name == m.Name {
			continue
		}
		if cases.Any(func(c *assay.Case) bool { ok, _ := o.Applies(c); return ok }) {
			return o.Name
		}
	}
	return ""
}
