package summary

import (
	"slices"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/columns"
)

// Shares returns the share that each part has in a record's composite: its weight among
// those of the parts that are scored. nil if the composite is not scored.
func Shares(metrics []assay.MetricInfo, r assay.Record) map[string]float64 {
	if r.Scores[assay.CompositeName].State != assay.Scored {
		return nil
	}
	out := map[string]float64{}
	total := 0.0
	for _, m := range metrics {
		if m.Weight > 0 && m.Name != assay.CompositeName && r.Scores[m.Name].State == assay.Scored {
			out[m.Name] = m.Weight
			total += m.Weight
		}
	}
	for name := range out {
		out[name] /= total
	}
	return out
}

// Weigh sets the shares that the parts of the composite had, on average over its scores.
func Weigh(estimates []Metric, t *columns.Table) {
	if !slices.ContainsFunc(estimates, func(m Metric) bool { return m.Weight > 0 }) {
		return
	}
	metrics := make([]assay.MetricInfo, len(estimates))
	for i, m := range estimates {
		metrics[i] = m.MetricInfo
	}
	sum := map[string]float64{}
	n := 0
	for _, r := range t.Records() {
		shares := Shares(metrics, *r)
		if shares == nil {
			continue
		}
		n++
		for name, share := range shares {
			sum[name] += share
		}
	}
	for i := range estimates {
		if m := &estimates[i]; n > 0 && m.Weight > 0 && m.Name != assay.CompositeName {
			share := sum[m.Name] / float64(n)
			m.Share = &share
		}
	}
}

// Unweighed returns the parts of the composite that none of its scores has, and their
// share of the weights; nil if there are none, or if the composite has no score.
func Unweighed(metrics []Metric) (names []string, weight float64) {
	for _, m := range metrics {
		if m.Share != nil && *m.Share == 0 {
			names = append(names, m.Name)
			weight += m.Weight
		}
	}
	return names, weight
}
