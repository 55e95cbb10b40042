package gate

import (
	"cmp"
	"slices"

	"github.com/assay-eval/assay/stats"
	"github.com/assay-eval/assay/summary"
)

// mean evaluates a rule on the mean of a metric.
func (h *hearing) mean(r Rule, m summary.Metric, res Result) Result {
	res.Got, res.N = &m.Mean, m.N
	values := summary.Values(m.MetricInfo, h.run.Cases)
	missing := missingOf(values)
	if missing.n == 0 {
		return r.settle(res, missing, m.Mean, m.Mean)
	}
	lo, hi, ok := h.lostShare(m)
	switch {
	case ok:
	case m.Pooled || openEnded(values):
		return missing.notBounded(res)
	default:
		lo, hi = means(values)
	}
	res.Bounds = interval(lo, hi)
	return r.settle(res, missing, lo, hi)
}

// settle returns the result for a value between lo and hi.
func (r Rule) settle(res Result, missing unscored, lo, hi float64) Result {
	res.Verdict = r.decide(lo, hi)
	switch {
	case res.Verdict == Inconclusive:
		res.Reason = func(w Words) string { return w.CouldDecide(missing.say(w), false, r.show(lo), r.show(hi)) }
	case res.Verdict == Fail && lo == hi:
		res.Reason = r.misses(lo)
	case res.Verdict == Fail:
		res.Reason = atBest(r.misses(r.best(lo, hi)))
	}
	return res
}

// best returns the end that meets the rule more easily.
func (r Rule) best(lo, hi float64) float64 {
	if r.floor() {
		return hi
	}
	return lo
}

func atBest(misses Finding) Finding {
	return func(w Words) string { return w.AtBest(misses(w)) }
}

// unscored is the number of cases without a score or, if partly is set, with a score
// that is partly unknown; n is then 0 if that number is not known.
type unscored struct {
	n, of  int
	partly bool
}

func (u unscored) say(w Words) string { return w.Unscored(u.n, u.of, u.partly) }

func (u unscored) notBounded(res Result) Result {
	res.Verdict, res.Reason = Inconclusive, func(w Words) string { return w.NotBounded(u.say(w)) }
	return res
}

// missingOf counts the values that are not entirely known.
func missingOf(values []summary.Value) unscored {
	u := unscored{n: unsettled(values), of: len(values)}
	u.partly = slices.ContainsFunc(values, func(v summary.Value) bool { return v.Known > 0 && !v.Settled() })
	return u
}

// openEnded reports whether some unknown value has no bounds.
func openEnded(values []summary.Value) bool {
	return slices.ContainsFunc(values, func(v summary.Value) bool { return v.Open })
}

// unsettled counts the cases that are not entirely known.
func unsettled(values []summary.Value) int {
	n := 0
	for _, v := range values {
		if !v.Settled() {
			n++
		}
	}
	return n
}

// means returns the smallest and the largest possible mean.
func means(values []summary.Value) (lo, hi float64) {
	n := float64(len(values))
	for _, v := range values {
		lo += v.Lower / n
		hi += v.Upper / n
	}
	return lo, hi
}

// bound evaluates a rule on an end of the interval of a metric's mean. If scores are
// missing, it computes the interval again with sets of extreme values in their place.
// The mean alone would not do: one more perfect case can lower an end, because it
// increases the spread.
func (h *hearing) bound(r Rule, m summary.Metric, res Result) Result {
	values := summary.Values(m.MetricInfo, h.run.Cases)
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
		res.Reason = Words.NoInterval
		return res
	}
	got := end(ci)
	res.Got, res.Level = &got, h.level
	missing := missingOf(values)
	switch {
	case missing.n == 0:
		return r.settle(res, missing, got, got)
	case m.Pooled || openEnded(values):
		return missing.notBounded(res)
	}
	lo, hi := got, got
	for samples := range extremes(values) {
		ci := stats.Mean(samples, h.level).CI
		if ci == nil {
			res.Verdict, res.Reason = Inconclusive, func(w Words) string { return w.NoIntervalWithout(missing.say(w)) }
			return res
		}
		lo, hi = min(lo, end(ci)), max(hi, end(ci))
	}
	res.Bounds = interval(lo, hi)
	return r.settle(res, missing, lo, hi)
}

// mostExtremes is the largest number of sets to try. If there are more, an evenly
// spaced sample is tried.
const mostExtremes = 256

// nudge moves an unknown value off its end, so that the interval is not the one for
// proportions or for equal values.
const nudge = 1e-9

// extremes returns sets of values that include the one with the lowest end of the
// interval and the one with the highest. Extreme values suffice, as properties of the
// tests show and as can be proved of Student's interval: the first 0, 1, 2… of the
// unknown values are as large as possible and the others as small, sorted by the
// largest possible value. If all unknown scores have the same range, which is usual,
// these are all distinct sets. Each set comes twice, because values that are all 0 or
// 1, or all equal, have a different interval than values that are almost so. For the
// same reason one set has the unknown values equal to the others.
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
