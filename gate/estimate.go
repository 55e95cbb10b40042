package gate

// estimated warns about limits on judged metrics that formulas estimate: such an
// estimate shows the trend of one system, but its absolute value says little
// (metrics.md §7.2).
func (h *hearing) estimated(rules []Rule) []Finding {
	var names []string
	for _, r := range rules {
		if m, err := h.metric(r.Quantity); err == nil && !r.Versus && m.Judged && m.MetricInfo.Estimate {
			names = append(names, m.Name)
		}
	}
	if names == nil {
		return nil
	}
	return []Finding{func(w Words) string { return w.EstimatesGated(names) }}
}
