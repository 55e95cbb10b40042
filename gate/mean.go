package gate

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/assay-eval/assay/stats"
	"github.com/assay-eval/assay/summary"
)

// mean judges the mean of a metric.
func (h *hearing) mean(r Rule, m summary.Metric, res Result) Result {
	res.Got, res.N = &m.Mean, m.N
	values := summary.Values(m.MetricInfo, h.run.Records)
	if unsettled(values) == 0 {
		if res.Verdict = r.decide(m.Mean, m.Mean); res.Verdict != Pass {
			res.Reason = r.misses(m.Mean)
		}
		return res
	}
	lo, hi, ok := h.lostShare(m)
	switch {
	case ok:
	case m.Pooled || slices.ContainsFunc(values, func(v summary.Value) bool { return v.Open }):
		res.Verdict, res.Reason = Inconclusive, unknown(values)+", and nothing bounds what it could be"
		return res
	default:
		lo, hi = means(values)
	}
	res.Bounds = interval(lo, hi)
	res.Verdict = r.decide(lo, hi)
	res.Reason = r.undecided(res.Verdict, values, lo, hi)
	return res
}

// undecided says why a rule on a value between lo and hi did not pass.
func (r Rule) undecided(v Verdict, values []summary.Value, lo, hi float64) string {
	switch {
	case v == Pass:
		return ""
	case v == Inconclusive:
		return unknown(values) + ", and could decide: " + r.between(lo, hi)
	case r.floor():
		return "at best " + r.misses(hi)
	}
	return "at best " + r.misses(lo)
}

// unsettled counts the cases of which not everything is known.
func unsettled(values []summary.Value) int {
	n := 0
	for _, v := range values {
		if !v.Settled() {
			n++
		}
	}
	return n
}

// unknown says how much is not known.
func unknown(values []summary.Value) string {
	none := 0
	for _, v := range values {
		if v.Known == 0 {
			none++
		}
	}
	if part := unsettled(values); none < part {
		return fmt.Sprintf("%d of %s could be scored in part only, or not at all", part, plural(len(values), "case"))
	}
	return fmt.Sprintf("%d of %s could not be scored", none, plural(len(values), "case"))
}

// means gives the least and the greatest that the mean could be.
func means(values []summary.Value) (lo, hi float64) {
	n := float64(len(values))
	for _, v := range values {
		lo += v.Lower / n
		hi += v.Upper / n
	}
	return lo, hi
}

// bound judges an end of the interval of a metric's mean. Where scores are
// missing the interval is made anew with sets of extremes in their place: an end
// of it can be lower for one case more that is perfect, which spreads the values.
func (h *hearing) bound(r Rule, m summary.Metric, res Result) Result {
	values := summary.Values(m.MetricInfo, h.run.Records)
	res.N = m.N
	end := func(ci *stats.Interval) float64 {
		ends := ci.Clip(m.Range[0], m.Range[1])
		if r.Bound == "lower" {
			return ends.Lo
		}
		return ends.Hi
	}
	ci := m.CI
	if !m.Pooled {
		var known []stats.Sample
		for _, v := range values {
			if v.Known > 0 {
				known = append(known, stats.Sample{Value: v.Mean, Cluster: v.Group})
			}
		}
		ci = stats.Mean(known, h.level).CI
	}
	if ci == nil {
		res.Reason = "it has no interval: there are too few cases, or they are all of one group"
		return res
	}
	got := end(ci)
	res.Got, res.Level = &got, h.level
	switch {
	case unsettled(values) == 0:
		if res.Verdict = r.decide(got, got); res.Verdict != Pass {
			res.Reason = r.misses(got)
		}
		return res
	case m.Pooled || slices.ContainsFunc(values, func(v summary.Value) bool { return v.Open }):
		res.Verdict, res.Reason = Inconclusive, unknown(values)+", and nothing bounds what it could be"
		return res
	}
	lo, hi := got, got
	for samples := range extremes(values) {
		ci := stats.Mean(samples, h.level).CI
		if ci == nil {
			res.Verdict, res.Reason = Inconclusive, unknown(values)+", and without them it has no interval"
			return res
		}
		lo, hi = min(lo, end(ci)), max(hi, end(ci))
	}
	res.Bounds = interval(lo, hi)
	res.Verdict = r.decide(lo, hi)
	res.Reason = r.undecided(res.Verdict, values, lo, hi)
	return res
}

// mostExtremes bounds the sets of extremes that are tried; beyond, they are
// spread evenly.
const mostExtremes = 256

// nudge moves an open value off its end, so that the interval is not that of a
// proportion or of equal values.
const nudge = 1e-9

// extremes gives sets of values among which the one with the lowest end of the
// interval is, and the one with the highest. The ends of Student's interval are
// concave and convex in the values, so that extreme ones decide: the first 0, 1,
// 2… of the open ones are as great as they can be and the others as small, those
// that can be greatest first. For open scores of one range, which is the rule,
// these are all sets that differ. Each comes twice, since values that are all 0
// or 1, or all equal, have another interval than values a hair beside them. For
// the same reason the open values are once equal to the others.
func extremes(values []summary.Value) func(yield func([]stats.Sample) bool) {
	return func(yield func([]stats.Sample) bool) {
		samples := make([]stats.Sample, len(values))
		var open []int
		var level *float64
		for i, v := range values {
			samples[i] = stats.Sample{Value: v.Lower, Cluster: v.Group}
			if !v.Settled() {
				open = append(open, i)
			} else if level == nil {
				level = &v.Mean
			}
		}
		slices.SortStableFunc(open, func(a, b int) int { return cmp.Compare(values[b].Upper, values[a].Upper) })
		step := 1 + len(open)/mostExtremes
		first := &samples[open[0]].Value
		for i := 0; i <= len(open); i++ {
			off := nudge
			if i > 0 {
				samples[open[i-1]].Value = values[open[i-1]].Upper
				off = -nudge
			}
			if i%step != 0 && i != len(open) {
				continue
			}
			if !yield(samples) {
				return
			}
			was := *first
			*first = was + off
			if !yield(samples) {
				return
			}
			*first = was
		}
		if level == nil {
			return
		}
		for _, i := range open {
			samples[i].Value = min(max(*level, values[i].Lower), values[i].Upper)
		}
		yield(samples)
	}
}
