package summary

import (
	"math"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/columns"
	"github.com/assay-eval/assay/stats"
)

// estimateDraws estimates from the means of the cases' draws: N is the number of
// cases, and the interval is no narrower than that many cases allow.
func estimateDraws(m assay.MetricInfo, t *columns.Table, level float64) Metric {
	out := Metric{MetricInfo: m, Reasons: map[string]int{}}
	values := Values(m, t)
	out.Estimate = stats.MeanWithin(samples(values), rangeOf(m), level)
	if m.Pooled {
		out.pool(t, level)
	}
	if m.OpenThreshold {
		spread(m, &out.Estimate, values)
	}
	if _, bounded := endsOf(m, t); bounded {
		var ends [][2]float64
		for _, v := range values {
			if v.Known > 0 {
				ends = append(ends, v.Ends)
			}
		}
		out.Allowed = allowed(m, ends, out.Mean)
	}
	out.CI = shownInterval(out.MetricInfo, out.CI)
	if n := float64(len(values)); n > 0 && m.Range[0] > -math.MaxFloat64 && m.Range[1] < math.MaxFloat64 && !m.Pooled {
		out.Bounds = &stats.Interval{}
		for _, v := range values {
			out.Bounds.Lo += v.Lower
			out.Bounds.Hi += v.Upper
		}
		out.Bounds.Lo, out.Bounds.Hi = out.Bounds.Lo/n, out.Bounds.Hi/n
	}
	for _, v := range values {
		if v.Known < v.Draws {
			out.Failed++
			if v.Known > 0 {
				out.Partial++
			}
		}
	}
	out.count(t, values)
	if out.TargetErrors > 0 {
		column := t.Metric(m.Name)
		answered := t.Where(func(i int) bool {
			s, _ := column.Score(i)
			return s.State != assay.TargetError
		})
		if e := stats.Mean(samples(Values(m, answered)), level); e.N > 0 {
			out.Answered = &e.Mean
		}
	}
	return out
}

// samples returns the means of the cases that have one.
func samples(values []Value) []stats.Sample {
	var out []stats.Sample
	for _, v := range values {
		if v.Known > 0 {
			out = append(out, stats.Sample{Value: v.Mean, Cluster: v.Group})
		}
	}
	return out
}

// pool sets the mean to that of the counts of all draws.
func (m *Metric) pool(t *columns.Table, level float64) {
	var num, den float64
	var counts []stats.Count
	column := t.Metric(m.Name)
	for i := range t.Len() {
		if s, _ := column.Score(i); s.State == assay.Scored || s.State == assay.NotApplicable && s.Num != 0 {
			num, den = num+s.Num, den+s.Den
			counts = append(counts, stats.Count{Num: s.Num, Den: s.Den, Cluster: t.Group(i)})
		}
	}
	if den > 0 {
		m.Mean, m.CI = num/den, pooledInterval(counts, m.Range, level, m.Name)
	}
}

// count counts the reasons for missing scores, the cases in which the target failed,
// and the cases without a value because there is nothing to measure, by the state of
// their first draw.
func (m *Metric) count(t *columns.Table, values []Value) {
	seen, failed := map[string]bool{}, map[string]bool{}
	for _, v := range values {
		seen[v.Case] = true
	}
	column := t.Metric(m.Name)
	for i := range t.Len() {
		score := scoreOf(column, i)
		if score.State != assay.Scored {
			m.Reasons[score.Reason]++
		}
		base := t.Base(i)
		if score.State == assay.TargetError && !failed[base] {
			failed[base] = true
			m.TargetErrors++
		}
		if seen[base] {
			continue
		}
		seen[base] = true
		if score.State == assay.Abstained {
			m.Abstained++
		} else {
			m.NotApplicable++
		}
	}
	if len(m.Reasons) == 0 {
		m.Reasons = nil
	}
}
