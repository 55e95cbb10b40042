package gate

import (
	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/message"
)

// undecided reports whether the policy leaves rules on the metric open: an estimate
// that stands in for a judgement decides only where [Policy.AllowEstimates] is set,
// or was when the run was made.
func (p Policy) undecided(m assay.MetricInfo) bool { return m.Undecided() && !p.AllowEstimates }

// estimated warns about limits that estimates decide, because the policy allows it.
func (h *hearing) estimated(rules []Rule) []Finding {
	var names []string
	for _, r := range rules {
		if m, err := h.metric(r.Quantity); err == nil && m.MetricInfo.Estimate && h.policy.open(h.run.Header, m.MetricInfo) == nil {
			names = append(names, m.Name)
		}
	}
	if names == nil {
		return nil
	}
	return []Finding{message.New("Reason.EstimatesGated", "metrics", names)}
}
