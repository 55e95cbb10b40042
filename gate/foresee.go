package gate

import (
	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/message"
	"github.com/assay-eval/assay/summary"
)

// Foresee returns the rules against the baseline that a run with this header will fail
// whatever its scores are, each with the reason: the run does not measure the metric,
// the baseline lacks it, or it has changed. It returns nil without a baseline, and if
// the baseline refuses the run, which [Baseline.Refuses] explains.
func (p Policy) Foresee(header assay.Header) []Result {
	b := p.Baseline
	if b == nil || b.Refuses(header) != nil {
		return nil
	}
	h := p.before(header)
	h.baseline = b
	var out []Result
	gated := false
	for _, r := range append(p.Rules[:len(p.Rules):len(p.Rules)], h.tolerances()...) {
		if !r.Versus {
			continue
		}
		gated = true
		if why := h.incomparable(r); why != nil {
			out = append(out, Result{Rule: r.String(), Metric: r.Quantity, Want: r.Limit, Verdict: Fail, Reason: why})
		}
	}
	if !gated {
		out = append(out, h.gatesNone())
	}
	return out
}

// ForeseeOpen returns the results of the rules, tolerances and thresholds that a run with this
// header will leave open whatever its scores are, because its judge is certified for less than
// the policy demands: one for each metric.
func (p Policy) ForeseeOpen(header assay.Header) []Result {
	h := p.before(header)
	rules := p.Rules
	if b := p.Baseline; b != nil && b.Refuses(header) == nil {
		h.baseline = b
		rules = append(rules[:len(rules):len(rules)], h.tolerances()...)
	}
	gated := map[string]bool{}
	for _, r := range rules {
		if m, err := h.metric(r.Quantity); err == nil {
			gated[m.Name] = true
		}
	}
	var out []Result
	for _, m := range header.Metrics {
		if why := p.uncertified(header, m); why != nil && (gated[m.Name] || m.Threshold != nil) && !p.undecided(m) {
			out = append(out, Result{Metric: m.Name, Verdict: Inconclusive, Reason: why})
		}
	}
	return out
}

// before returns the hearing of a run that has no scores yet.
func (p Policy) before(header assay.Header) *hearing {
	var s summary.Summary
	for _, m := range header.Metrics {
		s.Metrics = append(s.Metrics, summary.Metric{MetricInfo: m})
	}
	return &hearing{policy: p, run: Run{Header: header, Summary: s}, level: level(p.Level)}
}

// incomparable returns why the metric of a rule cannot be compared with the baseline,
// whatever its scores are, or nil if it can.
func (h *hearing) incomparable(r Rule) Finding {
	m, err := h.metric(r.Quantity)
	switch {
	case err != nil && h.baseline.Metrics[r.Quantity] != nil:
		return message.New("Reason.NotInRun", "metric", r.Quantity)
	case err != nil:
		return Text(err.Error())
	case h.baseline.Metrics[m.Name] == nil:
		return message.New("Reason.NotInBaseline")
	}
	if why := h.baseline.differs(m.MetricInfo, h.run.Header.Metrics); why != nil {
		return notCompared(why)
	}
	return nil
}

func notCompared(why Finding) Finding {
	return message.New("Reason.NotCompared", "reason", why)
}
