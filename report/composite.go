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

// estimates are those of a run or of a tag, the composite first.
func estimates(metrics []summary.Metric) []summary.Metric {
	return first(metrics, func(m summary.Metric) bool { return m.Name == assay.CompositeName })
}

// apart gives the composite, nil when there is none, and the other metrics.
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

// first moves the element that is wanted to the front of a copy.
func first[T any](list []T, wanted func(T) bool) []T {
	i := slices.IndexFunc(list, wanted)
	if i <= 0 {
		return list
	}
	return slices.Concat(list[i:i+1], list[:i], list[i+1:])
}

// composite gives the estimate of the composite; nil when the run has none.
func composite(s summary.Summary) *summary.Metric {
	i := slices.IndexFunc(s.Metrics, func(m summary.Metric) bool { return m.Name == assay.CompositeName })
	if i < 0 {
		return nil
	}
	return &s.Metrics[i]
}

// weight shows a metric's share of the composite, "40 %"; "" when it has none.
func weight(m assay.MetricInfo) string {
	if m.Weight <= 0 || m.Name == assay.CompositeName {
		return ""
	}
	return strings.TrimSuffix(strings.TrimRight(fmt.Sprintf("%.1f", 100*m.Weight), "0"), ".") + " %"
}

// parts lists what the composite is made of: "faithfulness 40 %, …"; "" without
// weights.
func parts(metrics []summary.Metric) string {
	var out []string
	for _, m := range metrics {
		if w := weight(m.MetricInfo); w != "" {
			out = append(out, line(m.Name)+" "+w)
		}
	}
	return strings.Join(out, ", ")
}

// weights tells composites apart: those of other parts or other weights are
// other metrics.
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
