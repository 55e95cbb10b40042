package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/report/words"
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

// weight returns the share that a metric had in the composite, "40 %", or "" if it is no
// part of it.
func (c *content) weight(m summary.Metric) string {
	if m.Weight <= 0 || m.Name == assay.CompositeName {
		return ""
	}
	set := percentage(m.Weight)
	if m.Share == nil || percentage(*m.Share) == set {
		return set
	}
	return c.w.Say("WeightUsed", words.V{"used": percentage(*m.Share), "set": set})
}

func percentage(share float64) string {
	return strings.TrimSuffix(strings.TrimRight(fmt.Sprintf("%.1f", 100*share), "0"), ".") + " %"
}

// parts returns what the composite is made of: "faithfulness 40 %, …". It returns ""
// if there are no weights.
func (c *content) parts() string {
	var out []string
	for _, m := range c.r.Summary.Metrics {
		if w := c.weight(m); w != "" {
			out = append(out, line(m.Name)+" "+w)
		}
	}
	return strings.Join(out, ", ")
}

// weights identifies a composite: one with other parts or weights is another metric,
// and so is one with a part that was measured on no case.
func weights(r *Report) string {
	gone, _ := summary.Unweighed(r.Summary.Metrics)
	var out []string
	for _, m := range r.Header.Metrics {
		if m.Weight > 0 && m.Name != assay.CompositeName && !slices.Contains(gone, m.Name) {
			out = append(out, fmt.Sprintf("%s %.6f v%d %s", m.Name, m.Weight, m.Version, m.Scheme))
		}
	}
	slices.Sort(out)
	return strings.Join(out, "\n")
}
