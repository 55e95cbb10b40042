package gate

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/assay-eval/assay/internal/message"
	"github.com/assay-eval/assay/stats"
)

// rounding is the distance within which two numbers are equal, so that no mean misses
// a limit by a rounding error.
const rounding = 1e-9

// holds reports whether a value meets the rule's limit.
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

// floor reports whether the limit is a minimum.
func (r Rule) floor() bool { return strings.HasPrefix(r.Op, ">") }

// decide returns the verdict on a value between lo and hi.
func (r Rule) decide(lo, hi float64) Verdict {
	switch low, high := r.holds(lo), r.holds(hi); {
	case low && high:
		return Pass
	case low || high:
		return Inconclusive
	}
	return Fail
}

// malformed returns an error if a rule that was not parsed is invalid.
func (r Rule) malformed() error {
	switch {
	case r.Quantity == "":
		return errors.New("the rule names no quantity: want a metric or another quantity")
	case r.Op != ">=" && r.Op != "<=" && r.Op != ">" && r.Op != "<":
		return fmt.Errorf("%q: want %s", r.Op, wantOp)
	case math.IsNaN(r.Limit) || math.IsInf(r.Limit, 0):
		return fmt.Errorf("the limit is %v: want a number", r.Limit)
	case r.Bound != "" && !slices.Contains(bounds, r.Bound):
		return fmt.Errorf("%q: want %s", r.Bound, wantBound)
	case r.single() && r.Versus:
		return errors.New("a rule on single cases is not compared with a baseline")
	case r.kind() != kindMetric && r.kind() != kindCount && (r.Bound != "" || r.Versus):
		return errors.New("only a metric has bounds and can be compared with a baseline")
	}
	return nil
}

// edge returns the limit, with the operator if that excludes the limit itself, so that
// messages such as "0.6 misses < 0.6" are clear.
func (r Rule) edge() string {
	return strings.TrimPrefix(strings.TrimPrefix(r.Op+" "+r.limit(), ">= "), "<= ")
}

// misses returns the finding that a value does not meet the limit.
func (r Rule) misses(v float64) Finding {
	return message.New("Reason.ValueMisses", "value", r.show(v), "limit", r.edge())
}

// show formats a value in the unit of the rule, with enough digits to see on which
// side of the limit it is.
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
