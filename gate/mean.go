package gate

import (
	"slices"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/message"
	"github.com/assay-eval/assay/stats"
	"github.com/assay-eval/assay/summary"
)

// mean evaluates a rule on the mean of a metric.
func (h *hearing) mean(r Rule, m summary.Metric, res Result) Result {
	res.Got, res.N = &m.Mean, m.N
	values := summary.Values(m.MetricInfo, h.run.Cases)
	missing := missingOf(m.MetricInfo, values)
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
		res.Reason = message.New("Reason.CouldDecide", "unscored", missing.say(), "difference", false, "low", r.show(lo),
			"high", r.show(hi))
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
	return message.New("Reason.AtBest", "misses", misses)
}

// unscored is the number of cases without a score or, if partly is set, with a score
// that is partly unknown; n is then 0 if that number is not known.
type unscored struct {
	n, of  int
	partly bool
	// threshold is set if scores may instead depend on the exact threshold of the judge.
	threshold bool
}

func (u unscored) say() Finding {
	if u.threshold {
		return message.New("Reason.OnThreshold")
	}
	return message.New("Reason.Unscored", "n", u.n, "of", u.of, "partly", u.partly)
}

func (u unscored) notBounded(res Result) Result {
	res.Verdict, res.Reason = Inconclusive, message.New("Reason.NotBounded", "unscored", u.say())
	return res
}

// missingOf counts the values that are not entirely known.
func missingOf(m assay.MetricInfo, values []summary.Value) unscored {
	u := unscored{n: unsettled(values), of: len(values)}
	u.partly = slices.ContainsFunc(values, func(v summary.Value) bool { return v.Known > 0 && !v.Settled() })
	u.threshold = u.partly && m.OpenThreshold
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
// missing, it computes the interval again with extreme values in their place.
func (h *hearing) bound(r Rule, m summary.Metric, res Result) Result {
	values := summary.Values(m.MetricInfo, h.run.Cases)
	res.N = m.N
	end := func(ci *stats.Interval) float64 {
		in := ci.Clip(m.Ends())
		if r.Bound == "lower" {
			return in.Lo
		}
		return in.Hi
	}
	possible := stats.Interval{Lo: m.Range[0], Hi: m.Range[1]}
	ci := m.CI
	if !m.Pooled {
		var known []stats.Sample
		for _, v := range values {
			if v.Known > 0 {
				known = append(known, stats.Sample{Value: v.Mean, Cluster: v.Group})
			}
		}
		ci = stats.MeanWithin(known, possible, h.level).CI
	}
	if ci == nil {
		res.Reason = message.New("Reason.NoInterval")
		return res
	}
	got := end(ci)
	res.Got, res.Level = &got, h.level
	missing := missingOf(m.MetricInfo, values)
	switch {
	case missing.n == 0:
		return r.settle(res, missing, got, got)
	case m.Pooled || openEnded(values):
		return missing.notBounded(res)
	}
	lo, hi := got, got
	for _, samples := range extremes(values) {
		ci := stats.MeanWithin(samples, possible, h.level).CI
		if ci == nil {
			res.Verdict, res.Reason = Inconclusive, message.New("Reason.NoIntervalWithout", "unscored", missing.say())
			return res
		}
		lo, hi = min(lo, end(ci)), max(hi, end(ci))
	}
	res.Bounds = interval(lo, hi)
	return r.settle(res, missing, lo, hi)
}

// nudge moves an unknown value off its end, so that the interval is not the one for
// proportions.
const nudge = 1e-9

// extremes returns sets of values that include the one with the lowest end of the
// interval and the one with the highest: the unknown values are as small as possible, or
// as large. An end never falls as a value rises, but values that are all 0 or 1 have
// another interval than values that are almost so.
func extremes(values []summary.Value) [][]stats.Sample {
	out := make([][]stats.Sample, 4)
	for _, v := range values {
		for i, x := range []float64{v.Lower, v.Lower, v.Upper, v.Upper} {
			if off := []float64{0, nudge, 0, -nudge}[i]; !v.Settled() {
				x += off
			}
			out[i] = append(out[i], stats.Sample{Value: x, Cluster: v.Group})
		}
	}
	return out
}
