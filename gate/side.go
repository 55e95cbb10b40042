package gate

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/stats"
	"github.com/assay-eval/assay/summary"
)

// A side pairs a metric of the run with the same metric of the baseline.
type side struct {
	metric summary.Metric
	// why is the reason why the two cannot be compared; nil if they can.
	why Finding
	// values are those of the run for the cases with a value in the baseline; was are
	// the values in the baseline.
	values []summary.Value
	was    []float64
	// gone are the cases that have a value only in the baseline; added are those that
	// have one only in the run.
	gone, added []string
	// comparison is over the cases that have a value in the run.
	comparison stats.Comparison
}

// pair pairs every compared metric with that of the baseline. All tests are computed
// in one call, because metrics over the same cases share most of the work.
func (h *hearing) pair(rules []Rule) {
	h.sides = map[string]*side{}
	if h.baseline == nil || h.doomed != nil {
		return
	}
	var together []*side
	var pairs [][]stats.Pair
	for _, m := range h.run.Summary.Metrics {
		if h.baseline.Metrics[m.Name] == nil {
			continue
		}
		s := h.baseline.side(m, h.run)
		h.sides[m.Name] = s
		if s.why == nil && !m.Pooled {
			together = append(together, s)
			pairs = append(pairs, s.pairs())
		}
	}
	for i, c := range stats.CompareAll(pairs, h.level, h.policy.Seed) {
		together[i].comparison = summary.Within(together[i].metric.MetricInfo, c)
	}
	named := map[string]bool{}
	for _, r := range rules {
		if m, err := h.metric(r.Quantity); r.Versus && err == nil {
			named[m.Name] = true
		}
	}
	for _, m := range h.run.Summary.Metrics {
		if named[m.Name] {
			h.gated = append(h.gated, m.Name)
		}
	}
}

func (b *Baseline) side(m summary.Metric, run Run) *side {
	s := &side{metric: m, why: b.differs(m.MetricInfo, run.Header.Metrics)}
	values := summary.Values(m.MetricInfo, run.Cases)
	s.was = make([]float64, 0, len(values))
	s.values = values[:0]
	for _, v := range values {
		was, had := b.Cases[v.Case][m.Name]
		switch {
		case had:
			s.values = append(s.values, v)
			s.was = append(s.was, was)
		case v.Known > 0:
			s.added = append(s.added, v.Case)
		}
	}
	s.gone = b.gone(m.Name, s.values)
	return s
}

// gone returns the cases that have a value of a metric in the baseline and are not among
// the values, in order.
func (b *Baseline) gone(metric string, values []summary.Value) (ids []string) {
	had := 0
	for _, scores := range b.Cases {
		if _, ok := scores[metric]; ok {
			had++
		}
	}
	if had == len(values) {
		return nil
	}
	seen := make(map[string]bool, len(values))
	for _, v := range values {
		seen[v.Case] = true
	}
	for id, scores := range b.Cases {
		if _, ok := scores[metric]; ok && !seen[id] {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids
}

// pairs returns the pairs of the cases with a value in the run.
func (s *side) pairs() []stats.Pair {
	out := make([]stats.Pair, 0, len(s.values))
	for i, v := range s.values {
		if v.Known > 0 {
			out = append(out, v.Pair(s.metric.MetricInfo, s.was[i], v.Mean))
		}
	}
	return out
}

// pairsAt returns the pairs of all cases, with the given value for unknown ones.
func (s *side) pairsAt(value func(summary.Value) float64) []stats.Pair {
	out := make([]stats.Pair, len(s.values))
	for i, v := range s.values {
		out[i] = v.Pair(s.metric.MetricInfo, s.was[i], value(v))
	}
	return out
}

// loss returns how much worse a value is than the earlier one; negative if it is
// better.
func loss(m assay.MetricInfo, was, is float64) float64 {
	if m.Better == "lower" {
		return is - was
	}
	return was - is
}

// fill writes the comparison into a result.
func (s *side) fill(res *Result, old, level float64) {
	c := s.comparison
	if s.metric.Pooled {
		if s.metric.N == 0 {
			return
		}
		diff := s.metric.Mean - old
		res.Got, res.Baseline, res.Diff, res.N = &s.metric.Mean, &old, &diff, s.metric.N
		return
	}
	if c.N > 0 {
		res.Got, res.Baseline, res.Diff, res.CI = &c.New, &c.Old, &c.Diff, c.CI
	}
	if res.CI != nil {
		res.Level = level
	}
	res.N, res.Cases = c.N, s.worst()
}

// worst returns the cases with the largest losses, with their values: "q17 (1 → 0)".
func (s *side) worst() []string {
	const shown = 5
	var at []int
	lost := func(i int) float64 { return loss(s.metric.MetricInfo, s.was[i], s.values[i].Mean) }
	for i, v := range s.values {
		if v.Known > 0 && lost(i) > rounding {
			at = append(at, i)
		}
	}
	slices.SortStableFunc(at, func(a, b int) int { return cmp.Compare(lost(b), lost(a)) })
	var out []string
	for _, i := range at[:min(shown, len(at))] {
		out = append(out, fmt.Sprintf("%s (%.4g → %.4g)", s.values[i].Case, s.was[i], s.values[i].Mean))
	}
	return out
}
