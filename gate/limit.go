package gate

import (
	"fmt"
	"math"
	"strings"

	"github.com/assay-eval/assay/stats"
)

// rounding is the distance within which two numbers are equal: a mean of tenths
// misses no tenth.
const rounding = 1e-9

// holds reports whether a value is on the right side of a rule's limit.
func (r Rule) holds(v float64) bool {
	switch r.Op {
	case ">=":
		return v >= r.Limit-rounding
	case "<=":
		return v <= r.Limit+rounding
	case ">":
		return v > r.Limit+rounding
	case "<":
		return v < r.Limit-rounding
	}
	return false
}

// floor reports whether the rule sets a least value, not a most.
func (r Rule) floor() bool { return strings.HasPrefix(r.Op, ">") }

// decide gives the verdict on a value of which nothing is known but that it lies
// between lo and hi.
func (r Rule) decide(lo, hi float64) Verdict {
	switch low, high := r.holds(lo), r.holds(hi); {
	case low && high:
		return Pass
	case low || high:
		return Inconclusive
	}
	return Fail
}

// malformed says what makes a rule that nobody parsed no rule; "" when nothing.
func malformed(r Rule) string {
	switch {
	case r.Quantity == "":
		return "the rule names nothing: want a metric or another quantity"
	case r.Op != ">=" && r.Op != "<=" && r.Op != ">" && r.Op != "<":
		return fmt.Sprintf("%q: want %s", r.Op, wantOp)
	case math.IsNaN(r.Limit) || math.IsInf(r.Limit, 0):
		return fmt.Sprintf("the limit is %v: want a number", r.Limit)
	case r.Bound != "" && r.Bound != "lower" && r.Bound != "upper":
		return fmt.Sprintf("%q: want %s", r.Bound, wantBound)
	case r.kind() != kindMetric && (r.Bound != "" || r.Versus):
		return "only a metric has bounds, and is compared with a baseline"
	}
	return ""
}

// misses says in words that a value does not do.
func (r Rule) misses(v float64) string {
	return fmt.Sprintf("%s misses %s %s", r.show(v), r.Op, r.limit())
}

// show writes a value in the unit of the rule, with as many digits as it takes
// to see on which side of the limit it lies.
func (r Rule) show(v float64) string {
	scale, unit := 1.0, ""
	switch {
	case r.Percent || r.kind() == kindShare:
		scale, unit = 100, "%"
	case r.kind() == kindLatency:
		unit = "s"
	case r.kind() == kindCost:
		return "$" + fmt.Sprintf("%.6g", v)
	}
	for digits := 4; digits < 12; digits++ {
		s := fmt.Sprintf("%.*g", digits, v*scale)
		var shown float64
		if _, err := fmt.Sscan(s, &shown); err == nil && r.holds(shown/scale) == r.holds(v) {
			return s + unit
		}
	}
	return fmt.Sprintf("%v%s", v*scale, unit)
}

func interval(lo, hi float64) *stats.Interval { return &stats.Interval{Lo: lo, Hi: hi} }

// between says where a value lies that is not known.
func (r Rule) between(lo, hi float64) string {
	return fmt.Sprintf("it lies between %s and %s", r.show(lo), r.show(hi))
}
