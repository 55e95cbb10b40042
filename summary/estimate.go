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

func estimate(m assay.MetricInfo, t *columns.Table, level float64) Metric {
	if t.Repeated() {
		return estimateDraws(m, t, level)
	}
	column := t.Metric(m.Name)
	// in has a sample of each case in which the target failed, too.
	in := make([]stats.Sample, 0, t.Len())
	var unanswered []int // the places of these in in
	var num, den, low, high float64
	endsAt, bounded := endsOf(m, t)
	var ends [][2]float64
	counted := func(i int, v float64) {
		in = append(in, stats.Sample{Value: v, Cluster: t.Group(i)})
		if bounded {
			ends = append(ends, endsAt(i))
		}
	}
	var counts []stats.Count
	var failed, known, targetErrors, none, abstained int
	reasons := map[string]int{}
	for i := range t.Len() {
		score, ok := column.Numbers(i)
		group := t.Group(i)
		switch {
		case !ok:
			score.State = assay.JudgeError
			reasons[noScore]++
		case score.State != assay.Scored:
			reasons[column.Reason(i)]++
		}
		switch score.State {
		case assay.Scored:
			counted(i, score.Value)
			num, den = num+score.Num, den+score.Den
			if m.Pooled {
				counts = append(counts, stats.Count{Num: score.Num, Den: score.Den, Cluster: group})
			}
			low, high = low+score.Lower, high+score.Upper
		case assay.TargetError:
			targetErrors++
			// A system that fails must not look better than one that answers badly. If
			// less is better, there is no worst value to count.
			if m.Better == "higher" {
				unanswered = append(unanswered, len(in))
				counted(i, m.Range[0])
				low, high = low+m.Range[0], high+m.Range[0]
			} else {
				failed++
			}
		case assay.NotApplicable:
			none++
			if m.Pooled && score.Num != 0 {
				num += score.Num
				counts = append(counts, stats.Count{Num: score.Num, Cluster: group})
			}
		case assay.Abstained:
			abstained++
		default:
			failed++
			// A judge that ruled on part of the case narrows the range.
			if score.Upper > score.Lower {
				known++
				low, high = low+score.Lower, high+score.Upper
			}
		}
	}
	e := stats.MeanWithin(in, rangeOf(m), level)
	if m.Pooled && den > 0 {
		ci := stats.PooledRatio(counts, rangeOf(m), level, seed(m.Name))
		e.Mean, e.CI = num/den, ci
	}
	if m.OpenThreshold {
		spread(m, &e, Values(m, t))
	}
	closed := m.Range[0] > -math.MaxFloat64 && m.Range[1] < math.MaxFloat64
	m.Allowed = allowed(m, ends, e.Mean)
	e.CI = shownInterval(m, e.CI)
	if all := float64(len(in) + failed); all > 0 && closed && !m.Pooled {
		e.Bounds = &stats.Interval{
			Lo: (low + float64(failed-known)*m.Range[0]) / all,
			Hi: (high + float64(failed-known)*m.Range[1]) / all,
		}
	}
	if targetErrors > 0 && len(in) > len(unanswered) {
		a := stats.Mean(without(in, unanswered), 0).Mean
		e.Answered = &a
	}
	e.Failed, e.TargetErrors, e.NotApplicable, e.Abstained = failed, targetErrors, none, abstained
	if len(reasons) == 0 {
		reasons = nil
	}
	return Metric{MetricInfo: m, Estimate: e, Reasons: reasons}
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

// without returns the samples but those in the given places, which are in order.
func without(samples []stats.Sample, places []int) []stats.Sample {
	out := make([]stats.Sample, 0, len(samples)-len(places))
	for i, s := range samples {
		if len(places) > 0 && places[0] == i {
			places = places[1:]
			continue
		}
		out = append(out, s)
	}
	return out
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
		m.Mean, m.CI = num/den, stats.PooledRatio(counts, rangeOf(m.MetricInfo), level, seed(m.Name))
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
