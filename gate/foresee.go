package gate

import (
	"fmt"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/summary"
)

// Foresee says which rules against the baseline a run with such a header will
// fail whatever its scores are, each with the reason: those about a metric that
// it does not measure, that the baseline lacks, or that is another one by now.
// Whoever pays for the run should know before. It is nil without a baseline, and
// when the baseline refuses the run, which [Baseline.Refuses] explains.
func (p Policy) Foresee(header assay.Header) []string {
	b := p.Baseline
	if b == nil || b.Refuses(header) != nil {
		return nil
	}
	var s summary.Summary
	for _, m := range header.Metrics {
		s.Metrics = append(s.Metrics, summary.Metric{MetricInfo: m})
	}
	h := &hearing{policy: p, run: Run{Header: header, Summary: s}, level: level(p.Level), baseline: b}
	var out []string
	gated := false
	for _, r := range append(p.Rules[:len(p.Rules):len(p.Rules)], h.tolerances()...) {
		if !r.Versus {
			continue
		}
		gated = true
		if why := h.incomparable(r); why != "" {
			out = append(out, fmt.Sprintf("%s: %s", r, why))
		}
	}
	if !gated {
		none := h.gatesNone()
		out = append(out, none.Rule+": "+none.Reason)
	}
	return out
}

// incomparable says why the metric of a rule cannot be set beside the baseline,
// whatever its scores are; "" when it can.
func (h *hearing) incomparable(r Rule) string {
	m, why := h.metric(r.Quantity)
	switch {
	case why != "" && h.baseline.Metrics[r.Quantity] != nil:
		return fmt.Sprintf("%q, which the baseline holds, is not measured in this run", r.Quantity)
	case why != "":
		return why
	case h.baseline.Metrics[m.Name] == nil:
		return "the baseline does not hold it"
	}
	if why := h.baseline.differs(m.MetricInfo, h.run.Header.Metrics); why != "" {
		return "not compared with the baseline: " + why
	}
	return ""
}
