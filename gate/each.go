package gate

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/assay-eval/assay/internal/message"
	"github.com/assay-eval/assay/summary"
)

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
