package gate

import (
	"fmt"
	"slices"

	"github.com/assay-eval/assay/stats"
	"github.com/assay-eval/assay/summary"
)

// versus judges the difference of a metric from the baseline.
func (h *hearing) versus(r Rule, m summary.Metric, res Result) Result {
	switch {
	case h.policy.Baseline == nil:
		res.Reason = "there is no baseline"
		return res
	case h.baseline == nil:
		res.Reason = "the baseline is refused"
		return res
	}
	if res.Reason = h.incomparable(r); res.Reason != "" {
		return res
	}
	s := h.sides[m.Name]
	s.fill(&res, h.baseline.Metrics[m.Name].Mean, h.level)
	switch {
	case m.N == 0 && m.Failed == 0:
		res.Reason = "measured on no case"
		return res
	case m.Pooled:
		return h.pooled(r, s, res)
	case res.N == 0 && len(s.values) > 0:
		res.Reason = "none of its " + plural(len(s.values), "case") + " could be scored"
		return res
	case res.N == 0:
		res.Reason = "no case has a value in the run and in the baseline"
		return res
	case slices.ContainsFunc(s.values, func(v summary.Value) bool { return v.Open }):
		res.Verdict, res.Reason = Inconclusive, unknown(s.values)+", and nothing bounds what it could be"
		return res
	case r.Bound != "":
		return h.noninferior(r, s, res)
	}
	old := 0.0
	for _, v := range s.was {
		old += v / float64(len(s.was))
	}
	if unsettled(s.values) == 0 {
		if res.Verdict = r.decide(*res.Diff, *res.Diff); res.Verdict != Pass {
			res.Reason = r.differenceMisses(*res.Diff, *res.Baseline, *res.Got)
		}
		return res
	}
	lo, hi := means(s.values)
	res.Bounds = interval(lo-old, hi-old)
	res.Verdict = r.decide(lo-old, hi-old)
	switch {
	case res.Verdict == Inconclusive:
		res.Reason = unknown(s.values) + ", and could decide: the difference lies between " + r.show(lo-old) + " and " + r.show(hi-old)
	case res.Verdict == Fail && r.floor():
		res.Reason = "at best " + r.differenceMisses(hi-old, old, hi)
	case res.Verdict == Fail:
		res.Reason = "at best " + r.differenceMisses(lo-old, old, lo)
	}
	return res
}

func (r Rule) differenceMisses(diff, old, new float64) string {
	return fmt.Sprintf("the difference %s (%.4g → %.4g)", r.misses(diff), old, new)
}

// pooled judges the difference of a mean of pooled counts. A baseline keeps no
// counts, so that its mean is all that there is to compare with: pairs of cases
// would not see that other cases came into the pool.
func (h *hearing) pooled(r Rule, s *side, res Result) Result {
	switch {
	case s.metric.N == 0:
		res.Reason = "none of its " + plural(s.metric.Failed, "case") + " could be scored"
		return res
	case r.Bound != "":
		res.Reason = "it has no interval: the mean is of pooled counts, which a baseline does not hold"
		return res
	case s.metric.Failed > 0 || unsettled(s.values) > 0:
		res.Verdict, res.Reason = Inconclusive, fmt.Sprintf("%d of %s could not be scored, or in part only, and nothing bounds what they could be", max(s.metric.Failed, unsettled(s.values)), plural(s.metric.Cases(), "case"))
		return res
	}
	if res.Verdict = r.decide(*res.Diff, *res.Diff); res.Verdict != Pass {
		res.Reason = r.differenceMisses(*res.Diff, *res.Baseline, *res.Got)
	}
	return res
}

// noninferior judges a one-sided bound of the difference, by inversion of the
// sign-flip test. The bound on the side that the rule guards is a test of
// non-inferiority with three verdicts: passed when the bound is on the right side
// of the limit, failed when the bound on the other side is on the wrong one,
// inconclusive between, for want of cases. Of the other bound it is asked only
// whether it holds.
func (h *hearing) noninferior(r Rule, s *side, res Result) Result {
	ruling, open := h.bounded(r, s.pairs()), unsettled(s.values)
	if open == 0 {
		res.Verdict, res.Noise, res.Reason = ruling.verdict, ruling.verdict == Inconclusive, ruling.reason
		return res
	}
	low := h.bounded(r, s.pairsAt(func(v summary.Value) float64 { return v.Lower }))
	high := h.bounded(r, s.pairsAt(func(v summary.Value) float64 { return v.Upper }))
	worst, best := low, high
	if rank(low.verdict) > rank(high.verdict) {
		worst, best = high, low
	}
	switch {
	case worst.verdict == Pass:
		res.Verdict = Pass
	case best.verdict == Fail:
		res.Verdict, res.Reason = Fail, "at best "+best.reason
	default:
		// When the worst that is possible is a matter of too few cases, what is
		// not known decides nothing.
		res.Verdict, res.Noise = Inconclusive, worst.verdict == Inconclusive
		res.Reason = unknown(s.values) + ", at worst " + worst.reason
	}
	return res
}

// rank orders verdicts from the worst to the best.
func rank(v Verdict) int { return slices.Index([]Verdict{Fail, Inconclusive, Pass}, v) }

type ruling struct {
	verdict Verdict
	reason  string
}

// bounded judges a bound of the mean difference of the pairs.
func (h *hearing) bounded(r Rule, pairs []stats.Pair) ruling {
	// The test asks whether more is no worse; where a most is set, the signs
	// are turned round.
	sign := 1.0
	if !r.floor() {
		sign = -1
	}
	turned := make([]stats.Pair, len(pairs))
	for i, p := range pairs {
		turned[i] = stats.Pair{Old: sign * p.Old, New: sign * p.New, Cluster: p.Cluster}
	}
	t, ok := stats.NonInferior(turned, -sign*r.Limit, min(1-h.level, 0.5), h.policy.Seed)
	if !ok {
		return ruling{Inconclusive, "no bound can be given: the cases are one, or all of one group"}
	}
	lower, upper := t.Lower, t.Upper
	if sign < 0 {
		lower, upper = -t.Upper, -t.Lower
	}
	guarded := (r.Bound == "lower") == r.floor()
	bound, other := lower, upper
	if r.Bound == "upper" {
		bound, other = upper, lower
	}
	switch {
	case upper-lower <= rounding && !t.TooFew && r.holds(lower):
		// Every case differs by the same: nothing is left to chance, and the
		// test, which asks for more than the limit, has nothing to say about a
		// difference that is the limit.
		return ruling{Pass, ""}
	case upper-lower <= rounding && !t.TooFew:
		return ruling{Fail, fmt.Sprintf("the difference, the same in every case, %s", r.misses(lower))}
	case guarded && t.Shown:
		return ruling{Pass, ""}
	case guarded && t.Worse:
		return ruling{Fail, fmt.Sprintf("the difference is shown to miss %s %s: its %s bound is %s", r.Op, r.limit(), opposite(r.Bound), r.show(other))}
	case guarded:
		side := "above"
		if !r.floor() {
			side = "below"
		}
		return ruling{Inconclusive, fmt.Sprintf("too few cases to tell: the one-sided bounds of the difference are %s and %s, and it is not shown to be %s %s", r.show(lower), r.show(upper), side, r.limit())}
	case r.holds(bound):
		return ruling{Pass, ""}
	}
	return ruling{Fail, fmt.Sprintf("the %s bound of the difference %s", r.Bound, r.misses(bound))}
}

func opposite(bound string) string {
	if bound == "lower" {
		return "upper"
	}
	return "lower"
}
