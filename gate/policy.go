package gate

import (
	"cmp"
	"slices"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/columns"
	"github.com/assay-eval/assay/internal/message"
	"github.com/assay-eval/assay/stats"
	"github.com/assay-eval/assay/summary"
)

// A Run is the input of a gate: a run's header, the columns of its records and their
// summary.
type Run struct {
	Header  assay.Header
	Summary summary.Summary
	Cases   *columns.Table
}

// A Policy has the requirements on a run: the thresholds of its metrics, rules, and a
// baseline.
type Policy struct {
	Rules []Rule
	// Baseline is nil if there is none. Rules against a baseline then fail.
	Baseline *Baseline
	// Tolerances say how much worse than the baseline a metric may be, in its own
	// unit. [DefaultTolerances] apply to a metric that has neither an entry here nor a
	// rule against the baseline. −1 tracks the metric without gating it. A key is the
	// metric's full name or its name as in DefaultTolerances; the full name takes
	// precedence.
	Tolerances map[string]float64
	// Statistical gates by a non-inferiority test instead of by the mean difference. A
	// metric passes if the one-sided bound shows that it is not worse by more than its
	// tolerance, fails if the bound shows that it is, and is otherwise inconclusive. A
	// tolerance of 0 leaves no room for a test and remains a plain limit. The rule
	// "new_total_losses <= 2%" is added unless there is one, because a mean hides rare
	// total losses.
	Statistical bool
	// Strict makes the gate fail if a rule is inconclusive because of too few cases.
	// Otherwise the gate warns.
	Strict bool
	// AllowEstimates lets estimates decide, which formulas compute in place of a judge.
	// Without it rules and thresholds on them are inconclusive, which is not a pass.
	AllowEstimates bool
	// MinCertificate is the least balanced accuracy of the judge, from 0 to 1, at the lower
	// end of its interval, that decides: a rule or threshold on a judged metric is
	// inconclusive unless the run has a certificate of at least that for every question that
	// the metric rests on, in every language of its cases. 0 demands none.
	MinCertificate float64
	// AllCritical makes every case of a report critical when that is held to the policy.
	AllCritical bool
	// Labels are those of people, nil without any. Rules on their metric also say what people would find. Corrected
	// lets that decide.
	Labels    *Labels
	Corrected bool
	// Level is the confidence level; 0 is [stats.DefaultLevel].
	Level float64
	// MaxMissing is the share of cases that may lack a score of a metric that passes,
	// whatever the missing scores could be. 0 means 5 %; 1 is no limit.
	MaxMissing float64
	// Seed seeds the random part of the tests.
	Seed uint64
}

// Judge evaluates all requirements on a run: the thresholds, then the rules in order,
// then the tolerances of the baseline in the order of the run's metrics, then the
// rules on single cases. ok is false if there are no requirements.
//
// The gate fails if a rule fails or the baseline is refused. Otherwise it is
// inconclusive if a rule is, and else it passes. A rule passes only if it would
// whatever the missing scores are, fails if it would fail whatever they are, and is
// otherwise inconclusive. A metric does not pass if more than 5 % of the cases lack a
// score, and a composite is inconclusive if a part of it was measured on no case. A
// quantity that was not measured fails.
//
// Several gated metrics are not corrected for their number. The gate passes only if
// all of them do, which is an intersection-union test: the probability that it passes
// a run that is too bad in one of them is at most that of the test of this one
// (metrics.md §4.4; Berger 1982).
//
// Critical cases must pass their checks; see [Outcome.Checks]. A critical case that
// nothing checks leaves the gate inconclusive.
//
// Against a baseline, critical cases may lose nothing in any gated metric.
func (p Policy) Judge(r Run) (o Outcome, ok bool) {
	if r.Cases == nil {
		r.Cases = columns.Of(nil)
	}
	o, ok = p.thresholds(r)
	if len(p.Rules) == 0 {
		o.Own = r.own()
	}
	if len(p.Rules) == 0 && p.Baseline == nil {
		if res, critical := o.right(r, p.AllCritical); critical && (ok || p.AllCritical) {
			o.Results, ok = append(o.Results, res), true
			o.Verdict = verdict(o)
		}
		o.Warnings = differing(o.Results)
		return o, ok
	}
	h := &hearing{policy: p, run: r, level: level(p.Level), doomed: doomed(r)}
	rules := p.Rules
	if b := p.Baseline; b != nil {
		if o.Refused = b.refuses(r); o.Refused == nil {
			h.baseline = b
			o.Warnings = b.warns(r.Header)
			rules = append(rules[:len(rules):len(rules)], h.tolerances()...)
		}
	}
	h.pair(rules)
	for _, rule := range rules {
		o.Results = append(o.Results, h.rule(rule))
	}
	if res, critical := o.right(r, p.AllCritical); critical && h.doomed == nil {
		o.Results = append(o.Results, res)
	}
	if h.baseline != nil {
		o.Results = append(o.Results, h.guards()...)
		o.Tracked = h.tracked()
	}
	o.Warnings = slices.Concat(o.Warnings, h.notes, h.remarks(), h.estimated(rules), h.blind(rules), differing(o.Results))
	o.Verdict = verdict(o)
	return o, true
}

// verdict combines the verdicts of the rules.
func verdict(o Outcome) Verdict {
	out := Pass
	if o.Refused != nil {
		out = Fail
	}
	for _, r := range o.Results {
		if r.Verdict == Fail || out == Pass {
			out = r.Verdict
		}
	}
	return out
}

func level(l float64) float64 {
	if l = cmp.Or(l, stats.DefaultLevel); l > 0 && l < 1 {
		return l
	}
	return stats.DefaultLevel
}

// doomed returns why no rule can pass, or nil if one can.
func doomed(r Run) Finding {
	switch {
	case r.Summary.Cases == 0:
		return message.New("Reason.NoCasesInRun")
	case allFailed(r.Summary):
		return failedAll(r)
	case unfinished(r.Header.State) && !r.Header.Deferred:
		return notFinished(r)
	}
	return nil
}

func failedAll(r Run) Finding {
	return message.New("Reason.AllCasesFailed", "cases", r.Summary.Cases, "draws", r.Header.Repeat > 1)
}

func notFinished(r Run) Finding {
	h := r.Header
	return message.New("Reason.RunNotFinished", "state", h.State, "done", r.Cases.Len(), "of", h.Asked(), "draws", h.Repeat > 1)
}

// A hearing evaluates the rules on one run.
type hearing struct {
	policy Policy
	run    Run
	level  float64
	// doomed is why every rule fails; nil if they do not.
	doomed Finding
	// baseline is nil if there is none or it is refused.
	baseline *Baseline
	// gated are the metrics that the baseline gates, in the order of the run.
	gated []string
	// sides holds the pairs of compared metrics, by name.
	sides map[string]*side
	// partly has, by quantity, a warning if not every response has a latency or cost.
	partly map[string]Finding
	// notes are remarks of the rules on single cases.
	notes []Finding
}

// rule evaluates one rule.
func (h *hearing) rule(r Rule) Result {
	res := Result{Rule: r.String(), Metric: r.Quantity, Want: r.Limit, Verdict: Fail}
	if err := r.malformed(); err != nil {
		res.Want, res.Reason = 0, Text(err.Error())
		return res
	}
	if h.doomed != nil {
		res.Reason = h.doomed
		if r.single() { // what a case breaks it breaks in a run that is not finished, too
			of := hearing{policy: h.policy, run: h.run, level: h.level}
			whole := of.rule(r)
			res.Each, res.Broken = whole.Each, whole.Broken
		}
		return res
	}
	switch r.kind() {
	case kindShare:
		if r.Quantity == quantityLosses {
			return h.losses(r, res)
		}
		return h.errors(r, res)
	case kindLatency:
		return h.latency(r, res)
	case kindCost:
		return h.cost(r, res)
	}
	m, err := h.metric(r.Quantity)
	switch {
	case err != nil && r.Versus && h.baseline != nil:
		res.Reason = h.incomparable(r)
		return res
	case err != nil:
		res.Reason = Text(err.Error())
		return res
	case r.Versus:
		res.Metric = m.Name
		res = incomplete(h.policy.unmeasured(m, h.versus(r, m, res)), h.run.Summary.Metrics)
		if res.Got != nil {
			res = h.policy.leave(h.run.Header, m.MetricInfo, res)
		}
		return h.policy.corrected(r, m, h.run, h.sides[m.Name], res)
	}
	res.Metric = m.Name
	switch {
	case m.N == 0 && m.Failed > 0:
		res.Reason = unscored{n: m.Failed, of: m.Failed}.say()
		return res
	case m.N == 0:
		res.Reason = message.New("Reason.MeasuredOnNoCase")
		return res
	case r.single():
		res = h.each(r, m, res)
	case r.Bound != "":
		res = h.policy.unmeasured(m, h.bound(r, m, res))
	default:
		res = h.policy.unmeasured(m, h.mean(r, m, res))
	}
	return h.policy.corrected(r, m, h.run, nil, h.policy.leave(h.run.Header, m.MetricInfo, incomplete(res, h.run.Summary.Metrics)))
}

// metric returns the metric of the run that a rule refers to.
func (h *hearing) metric(quantity string) (summary.Metric, error) {
	var names []string
	for _, m := range h.run.Summary.Metrics {
		names = append(names, m.Name)
	}
	i, err := find(quantity, names)
	if err != nil {
		return summary.Metric{}, err
	}
	return h.run.Summary.Metrics[i], nil
}
