package summary

import (
	"crypto/sha256"
	"encoding/binary"
	"math"
	"slices"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/columns"
	"github.com/assay-eval/assay/stats"
)

func estimates(metrics []assay.MetricInfo, t *columns.Table, level float64) []Metric {
	out := make([]Metric, len(metrics))
	for i, m := range metrics {
		out[i] = estimate(m, t, level)
	}
	return out
}

// estimate estimates from the means of the cases' draws: N is the number of cases, and the
// interval is no narrower than that many cases allow.
func estimate(m assay.MetricInfo, t *columns.Table, level float64) Metric {
	out := Metric{MetricInfo: m}
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
	if len(values) > 0 && m.Range[0] > -math.MaxFloat64 && m.Range[1] < math.MaxFloat64 && !m.Pooled {
		out.Bounds = meanBounds(m, values)
	}
	for _, v := range values {
		if v.Known < v.Draws {
			out.Failed++
			if v.Known > 0 {
				out.Partial++
			}
		}
	}
	out.count(t)
	if out.TargetErrors > 0 {
		column := t.Metric(m.Name)
		answered := t.Where(func(i int) bool {
			s, _ := column.Numbers(i)
			return s.State != assay.TargetError
		})
		if e := stats.Mean(samples(Values(m, answered)), 0); e.N > 0 {
			out.Answered = &e.Mean
		}
	}
	return out
}

// meanBounds returns the bounds of a mean of values: the means of their bounds. Values of which
// nothing is known have those of the range.
func meanBounds(m assay.MetricInfo, values []Value) *stats.Interval {
	var sum stats.Interval
	unknown := 0.0
	for _, v := range values {
		if v.Known == 0 && v.Lower == m.Range[0] && v.Upper == m.Range[1] {
			unknown++
			continue
		}
		sum.Lo, sum.Hi = sum.Lo+v.Lower, sum.Hi+v.Upper
	}
	n := float64(len(values))
	return &stats.Interval{Lo: (sum.Lo + unknown*m.Range[0]) / n, Hi: (sum.Hi + unknown*m.Range[1]) / n}
}

// spread widens the interval of a mean, if it has one, to hold those at both ends of the bounds of
// its scores: the scores at each threshold of the judge within its interval.
func spread(m assay.MetricInfo, e *stats.Estimate, values []Value) {
	for _, end := range bothEnds {
		at := stats.MeanWithin(samples(valuesAt(end, slices.Clone(values))), rangeOf(m), e.Level)
		e.CI = widened(e.CI, at.Mean, at.CI)
	}
}

// widened returns an interval that holds another estimate, too, with its interval if it has one.
func widened(ci *stats.Interval, at float64, more *stats.Interval) *stats.Interval {
	if ci == nil {
		return nil
	}
	if more == nil {
		more = &stats.Interval{Lo: at, Hi: at}
	}
	return &stats.Interval{Lo: min(ci.Lo, more.Lo), Hi: max(ci.Hi, more.Hi)}
}

// shownInterval returns the interval of a mean without what the range and the labels do not allow;
// nil if the judge rules like a coin, of which an interval of cases says nothing.
func shownInterval(m assay.MetricInfo, ci *stats.Interval) *stats.Interval {
	if ci == nil || m.NearChance != "" {
		return nil
	}
	in := ci.Clip(m.Ends())
	return &in
}

// rangeOf returns the range of a metric.
func rangeOf(m assay.MetricInfo) stats.Interval {
	return stats.Interval{Lo: m.Range[0], Hi: m.Range[1]}
}

// noScore is the reason of a score that is missing.
const noScore = "the record has no score of this metric"

// scoreOf returns a score, or that it is missing.
func scoreOf(c columns.Column, i int) assay.Score {
	s, ok := c.Score(i)
	if !ok {
		return assay.Score{State: assay.JudgeError, Reason: noScore}
	}
	return s
}

// seed seeds the resampling of a metric, so that repeated reports are identical.
func seed(metric string) uint64 {
	sum := sha256.Sum256([]byte(metric))
	return binary.LittleEndian.Uint64(sum[:])
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
		m.Mean, m.CI = num/den, stats.PooledRatio(counts, rangeOf(m.MetricInfo), level, seed(m.Name))
	}
}

// count counts the reasons for missing scores, the cases in which the target failed,
// and the cases without a value because there is nothing to measure, by the state of
// their first draw.
func (m *Metric) count(t *columns.Table) {
	column := t.Metric(m.Name)
	measured, counted, failed := make([]bool, t.Cases()), make([]bool, t.Cases()), make([]bool, t.Cases())
	for i := range t.Len() {
		score, _ := column.Numbers(i)
		if score.State != assay.NotApplicable && score.State != assay.Abstained {
			measured[t.Case(i)] = true
		}
	}
	reasons := map[string]int{}
	for i := range t.Len() {
		score, k := scoreOf(column, i), t.Case(i)
		if score.State != assay.Scored {
			reasons[score.Reason]++
		}
		if score.State == assay.TargetError && !failed[k] {
			failed[k] = true
			m.TargetErrors++
		}
		if measured[k] || counted[k] {
			continue
		}
		counted[k] = true
		if score.State == assay.Abstained {
			m.Abstained++
		} else {
			m.NotApplicable++
		}
	}
	if len(reasons) > 0 {
		m.Reasons = reasons
	}
}
