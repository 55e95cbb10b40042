package gate

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/columns"
	"github.com/assay-eval/assay/internal/message"
	"github.com/assay-eval/assay/metric/stage"
	"github.com/assay-eval/assay/stats"
	"github.com/assay-eval/assay/summary"
)

// mean evaluates a rule on the mean of a metric.
func (h *hearing) mean(r Rule, m summary.Metric, res Result) Result {
	res.Got, res.N = &m.Mean, m.N
	values := summary.Values(m.MetricInfo, h.run.Cases)
	missing := missingOf(m.MetricInfo, values)
	lo, hi, open, ok := lostShare(h.run.Cases, m)
	missing = missing.with(open)
	switch {
	case missing.n == 0:
		return r.settle(res, missing, m.Mean, m.Mean)
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
	return r.conclude(res, missing, lo, hi, r.misses(r.best(lo, hi)))
}

// conclude returns the result for a value, or a difference, between lo and hi. misses says that
// the better of them does not meet the limit.
func (r Rule) conclude(res Result, missing unscored, lo, hi float64, misses Finding) Result {
	res.Verdict = r.decide(lo, hi)
	switch {
	case res.Verdict == Inconclusive:
		res.Reason = message.New("Reason.CouldDecide", "unscored", missing.say(), "difference", r.Versus, "low", r.show(lo),
			"high", r.show(hi))
	case res.Verdict == Fail && lo == hi && !r.Versus:
		res.Reason = misses
	case res.Verdict == Fail:
		res.Reason = atBest(misses)
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

// with adds cases without a score of which some evidence could not be followed.
func (u unscored) with(open int) unscored {
	u.n, u.of = u.n+open, u.of+open
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
		if m.N > 0 {
			res.Verdict, res.Noise = Inconclusive, true
		}
		return res
	}
	got := end(ci)
	res.Got, res.Level = &got, h.level
	_, _, open, _ := lostShare(h.run.Cases, m)
	missing := missingOf(m.MetricInfo, values).with(open)
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

// The bounds of a rule on single cases: the lowest and the highest value of a case, and
// the number of cases below or above a value.
const (
	boundMin   = "min"
	boundMax   = "max"
	boundBelow = "below"
	boundAbove = "above"
)

// counted reports whether the rule is on the number of cases beyond a value.
func (r Rule) counted() bool { return r.Bound == boundBelow || r.Bound == boundAbove }

// single reports whether the rule is on the values of single cases.
func (r Rule) single() bool { return r.Bound == boundMin || r.Bound == boundMax || r.counted() }

// beyond returns the limit on one case that the rule counts or wants of each: recall.min
// >= 0.8 and below(recall, 0.8) <= 2 both look for cases that miss 0.8. each is set if
// no case may miss it. ok is false for a rule such as recall.max >= 0.8, which one case
// can meet for all.
func (r Rule) beyond() (limit Rule, each, ok bool) {
	limit = Rule{Quantity: r.Quantity, Op: r.Op, Limit: r.Limit, Percent: r.Percent}
	switch {
	case r.Bound == boundMin && r.floor(), r.Bound == boundMax && !r.floor():
		return limit, true, true
	case r.counted() && !r.floor():
		limit.Op, limit.Limit, limit.Percent = ">=", r.At, false
		if r.Bound == boundAbove {
			limit.Op = "<="
		}
		return limit, r.Op == "<=" && r.Limit == 0, true
	}
	return limit, false, false
}

// each evaluates a rule on single cases. A case that is asked several times has the mean
// of its draws. Cases to which the metric does not apply do not count; a case whose value
// is not known counts with its bounds, so that it may leave the rule open.
func (h *hearing) each(r Rule, m summary.Metric, res Result) Result {
	values := summary.Values(m.MetricInfo, h.run.Cases)
	res.N = len(values)
	if all := len(caseIDs(h.run.Cases)); len(values) < all {
		n := len(values)
		h.notes = append(h.notes, message.New("Reason.RuleOnCases", "rule", res.Rule, "n", n, "of", all))
	}
	missing := missingOf(m.MetricInfo, values)
	if openEnded(values) {
		return missing.notBounded(res)
	}
	lo, hi := r.extreme(values)
	if lo == hi {
		res.Got = &lo
	} else {
		res.Bounds = interval(lo, hi)
	}
	res = r.settle(res, missing, lo, hi)
	limit, each, ok := r.beyond()
	if !ok {
		return res
	}
	var beyond []summary.Value
	for _, v := range values {
		if !limit.holds(v.Lower) && !limit.holds(v.Upper) {
			beyond = append(beyond, v)
		}
	}
	slices.SortStableFunc(beyond, func(a, b summary.Value) int {
		if limit.floor() {
			return cmp.Compare(a.Upper, b.Upper)
		}
		return cmp.Compare(b.Lower, a.Lower)
	})
	for _, v := range beyond {
		if each {
			res.Broken = append(res.Broken, v.Case)
		}
		res.Cases = append(res.Cases, fmt.Sprintf("%s (%s)", v.Case, limit.show(limit.best(v.Lower, v.Upper))))
	}
	res.Each = each
	if res.Verdict == Fail {
		misses := limit.edge()
		res.Reason = message.New("Reason.CasesMiss", "n", len(beyond), "of", len(values), "limit", misses)
	}
	return res
}

// extreme returns the smallest and the largest possible value of what the rule is on.
func (r Rule) extreme(values []summary.Value) (lo, hi float64) {
	if r.counted() {
		for _, v := range values {
			possible, certain := v.Lower < r.At-rounding, v.Upper < r.At-rounding
			if r.Bound == boundAbove {
				possible, certain = v.Upper > r.At+rounding, v.Lower > r.At+rounding
			}
			if certain {
				lo++
			}
			if possible {
				hi++
			}
		}
		if r.Percent {
			lo, hi = lo/float64(len(values)), hi/float64(len(values))
		}
		return lo, hi
	}
	lo, hi = values[0].Lower, values[0].Upper
	for _, v := range values[1:] {
		if r.Bound == boundMin {
			lo, hi = min(lo, v.Lower), min(hi, v.Upper)
		} else {
			lo, hi = max(lo, v.Lower), max(hi, v.Upper)
		}
	}
	return lo, hi
}

// lostShare returns the smallest and the largest share of the evidence that a stage can have lost, or that can have
// reached the answer, depending on the cases that have no score, and the number of those that are not right and of which
// some evidence could not be followed. ok is false for other metrics, and if the labels do not say how much evidence a
// case has. What a later stage lost that stands for this one, too, may have been lost here.
func lostShare(t *columns.Table, m summary.Metric) (lo, hi float64, open int, ok bool) {
	if m.Documents != assay.ByFacts || !m.Pooled {
		return 0, 0, 0, false
	}
	var lost, all, merged, rest float64
	column, within := t.Metric(m.Name), true
	for i, r := range t.Records() {
		most := float64(stage.MostFacts(r.Case.Want))
		s, _ := column.Score(i)
		switch {
		case s.State == assay.Scored:
			// A case with more facts than labels has facts from elsewhere.
			within = within && s.Den <= most && s.Num <= s.Den
			lost, all, merged = lost+s.Num, all+s.Den, merged+(s.Upper-s.Value)*s.Den
			fallthrough
		case s.State == assay.NotApplicable:
			if left := most - s.Den; left > 0 && summary.Unfollowed(t, i) {
				rest, open = rest+left, open+1
			}
		case s.State == assay.Abstained, s.State == assay.TargetError && m.Better == "higher":
		default:
			rest += most
		}
	}
	if !within || all+rest == 0 {
		return 0, 0, open, false
	}
	return lost / (all + rest), (lost + merged + rest) / (all + rest), open, true
}
