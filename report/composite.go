package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/summary"
)

// ordered puts the composite first; the others keep their order.
func ordered(metrics []assay.MetricInfo) []assay.MetricInfo {
	return first(metrics, func(m assay.MetricInfo) bool { return m.Name == assay.CompositeName })
}

// estimates returns the estimates of a run or of a tag, the composite first.
func estimates(metrics []summary.Metric) []summary.Metric {
	return first(metrics, func(m summary.Metric) bool { return m.Name == assay.CompositeName })
}

// apart returns the composite, or nil if there is none, and the other metrics.
func apart(metrics []assay.MetricInfo) (whole *assay.MetricInfo, others []assay.MetricInfo) {
	for i, m := range metrics {
		if m.Name == assay.CompositeName {
			whole = &metrics[i]
		} else {
			others = append(others, m)
		}
	}
	return whole, others
}

// first returns a copy with the first wanted element moved to the front.
func first[T any](list []T, wanted func(T) bool) []T {
	i := slices.IndexFunc(list, wanted)
	if i <= 0 {
		return list
	}
	return slices.Concat(list[i:i+1], list[:i], list[i+1:])
}

// composite returns the estimate of the composite, or nil if the run has none.
func composite(s summary.Summary) *summary.Metric {
	i := slices.IndexFunc(s.Metrics, func(m summary.Metric) bool { return m.Name == assay.CompositeName })
	if i < 0 {
		return nil
	}
	return &s.Metrics[i]
}

// weight returns a metric's share of the composite, "40 %", or "" if it has none.
func weight(m assay.MetricInfo) string {
	if m.Weight <= 0 || m.Name == assay.CompositeName {
		return ""
	}
	return strings.TrimSuffix(strings.TrimRight(fmt.Sprintf("%.1f", 100*m.Weight), "0"), ".") + " %"
}

// parts returns what the composite is made of: "faithfulness 40 %, …". It returns ""
// if there are no weights.
func parts(metrics []summary.Metric) string {
	var out []string
	for _, m := range metrics {
		if w := weight(m.MetricInfo); w != "" {
			out = append(out, line(m.Name)+" "+w)
		}
	}
	return strings.Join(out, ", ")
}

// weights identifies a composite: one with other parts or weights is another metric.
func weights(h assay.Header) string {
	var out []string
	for _, m := range h.Metrics {
		if m.Weight > 0 && m.Name != assay.CompositeName {
			out = append(out, fmt.Sprintf("%s %.6f v%d %s", m.Name, m.Weight, m.Version, m.Scheme))
		}
	}
	slices.Sort(out)
	return strings.Join(out, "\n")
}
