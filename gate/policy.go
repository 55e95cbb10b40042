package gate

import (
	"cmp"
	"slices"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/stats"
	"github.com/assay-eval/assay/summary"
)

// A Run is the input of a gate: a run's header, its records and their summary.
type Run struct {
	Header  assay.Header
	Summary summary.Summary
	Records []assay.Record
}

// A Policy holds the requirements on a run: the thresholds of its metrics,
// rules, and a baseline.
type Policy struct {
	Rules []Rule
	// Baseline is nil when there is none. Rules against a baseline then fail.
	Baseline *Baseline
	// Tolerances say how far a metric may fall behind the baseline, in its own
	// unit; those of [DefaultTolerances] hold where nothing else is said, here
	// or by a rule of the metric against the baseline. −1 tracks the metric
	// without gating it. A key is the metric's full name, or its name as
	// DefaultTolerances has it; the full name wins.
	Tolerances map[string]float64
	// Statistical gates by a non-inferiority test instead of by the mean
	// difference: a metric passes when the one-sided bound shows that it is not
	// worse by more than its tolerance, fails when the bound shows that it is,
	// and is inconclusive between. A tolerance of 0 leaves a test no room, and
	// stays a floor. The rule "new_total_losses <= 2%" is then added unless
	// there is one, since a mean hides rare total losses.
	Statistical bool
	// Strict makes the gate fail when a rule is inconclusive because of too few
	// cases. Otherwise the gate warns.
	Strict bool
	// Level is the confidence level; 0 is [stats.DefaultLevel].
	Level float64
	// MaxMissing is the share of cases that may lack a score of a metric that
	// passes, whatever the missing ones could be; 0 is 5 %, 1 is no limit.
	MaxMissing float64
	// Seed seeds the random part of the tests.
	Seed uint64
}

// Judge judges a run by everything that it is held to: its thresholds first,
// then the rules in their order, then the tolerances of the baseline in the order
// of the run's metrics, then what guards single cases. ok is false when it is
// held to nothing.
//
// The gate fails when a rule does, or when the baseline is refused; else it is
// inconclusive when a rule is; else it passes. A rule passes only when it would
// whatever the scores are that could not be given, fails when it would fail
// whatever they are, and is inconclusive between; a metric of which more than 5 %
// of the cases lack a score does not pass. What was not measured fails.
//
// Several gated metrics are not corrected for their number: the gate passes only
// if all of them do, which is an intersection-union test, and its chance to pass a
// run that is too bad in one of them is at most that of the test of this one
// (metrics.md §4.4; Berger 1982).
//
// Against a baseline, critical cases may lose nothing in any metric that is
// gated.
func (p Policy) Judge(r Run) (o Outcome, ok bool) {
	o, ok = p.thresholds(r.Summary)
	if len(p.Rules) == 0 && p.Baseline == nil {
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
	if h.baseline != nil {
		o.Results = append(o.Results, h.guards()...)
		o.Tracked = h.tracked()
	}
	o.Warnings = slices.Concat(o.Warnings, h.remarks(), h.estimated(rules), h.blind(rules))
	o.Verdict = verdict(o)
	return o, true
}

// verdict sums up.
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

// doomed says why no rule can pass; nil when one can.
func doomed(r Run) Finding {
	switch {
	case r.Summary.Cases == 0:
		return Words.NoCasesInRun
	case allFailed(r.Summary):
		return failedAll(r.Summary)
	case unfinished(r.Header.State):
		return notFinished(r)
	}
	return nil
}

func failedAll(s summary.Summary) Finding {
	return func(w Words) string { return w.AllCasesFailed(s.Cases) }
}

func notFinished(r Run) Finding {
	state, done, of := r.Header.State, len(caseIDs(r.Records)), r.Header.Dataset.Cases
	return func(w Words) string { return w.RunNotFinished(state, done, of) }
}

// A hearing evaluates the rules on one run.
type hearing struct {
	policy Policy
	run    Run
	level  float64
	// doomed says why every rule fails; nil when they do not.
	doomed Finding
	// baseline is nil when there is none or it is refused.
	baseline *Baseline
	// gated are the metrics that the baseline gates, in the order of the run.
	gated []string
	// sides holds the pairs of compared metrics, by name.
	sides map[string]*side
	// partly warns, by quantity, of latencies or costs that not every response has.
	partly map[string]Finding
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
		return h.policy.unmeasured(m, h.versus(r, m, res))
	}
	res.Metric = m.Name
	switch {
	case m.N == 0 && m.Failed > 0:
		res.Reason = unscored{n: m.Failed, of: m.Failed}.say
		return res
	case m.N == 0:
		res.Reason = Words.MeasuredOnNoCase
		return res
	case r.Bound != "":
		return h.policy.unmeasured(m, h.bound(r, m, res))
	}
	return h.policy.unmeasured(m, h.mean(r, m, res))
}

// metric finds the metric of the run that a rule refers to.
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
