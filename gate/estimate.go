package gate

import "strings"

// estimated warns of limits on judged metrics of which formulas gave the score:
// such an estimate is for trends of one system, and its size says little
// (metrics.md §7.2).
func (h *hearing) estimated(rules []Rule) []string {
	var names []string
	for _, r := range rules {
		if m, why := h.metric(r.Quantity); why == "" && !r.Versus && m.Judged && m.MetricInfo.Estimate {
			names = append(names, m.Name)
		}
	}
	if names == nil {
		return nil
	}
	return []string{strings.Join(names, ", ") + ": heuristic estimate; compare trends, not absolute values"}
}
