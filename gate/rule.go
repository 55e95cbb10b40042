package gate

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/assay-eval/assay/internal/message"
	"github.com/assay-eval/assay/stats"
)

// A Rule is a condition on a run, as a person writes it:
//
//	faithfulness >= 0.85
//	ndcg@10.lower >= 0.6
//	recall@10.min >= 0.8
//	below(recall@10, 0.8) <= 2
//	recall@5 vs baseline >= -0.02
//	errors <= 1%
//	new_total_losses <= 2%
//	p95_latency <= 2s
//	cost <= 1.50
//
// The grammar, with blanks allowed between words:
//
//	rule     = quantity [ "vs" "baseline" ] op number
//	quantity = metric [ "." bound ] | ( "below" | "above" ) "(" metric "," number ")" |
//	           "errors" | "new_total_losses" | moment "_latency" | "cost"
//	metric   = the name of a metric with its parameters, such as rbp(p=0.8) or lost_at.filter, or "composite"
//	bound    = "lower" | "upper" | "min" | "max"
//	moment   = "mean" | "p50" | "p95" | "p99"
//	op       = ">=" | "<=" | ">" | "<" | "≥" | "≤"
//	number   = ["-" | "+"] decimal [ "%" | "ms" | "s" | "m" ] | "$" decimal
//
// min and max are the lowest and the highest value of a case. below and above are the
// number of cases with a value below or above the given one or, with "%", their share.
// The cases are those to which the metric applies.
//
// Letter case is ignored. "%" is for ratios. A latency needs one of the units "ms",
// "s" and "m". Dollars are for the cost of the whole run, target and judging. errors
// is the share of cases in which the target failed. new_total_losses is the share of
// cases that dropped from 0.5 or more in the baseline to the worst value, over all
// metrics that the baseline gates; it needs a baseline even without "vs baseline".
// Both are shares from 0 to 1. A bare number of 1 or more, as in "errors <= 1", is an
// error, because it would mean 100 % where 1 % is intended.
type Rule struct {
	// Quantity is the metric's canonical name, or the name of another quantity.
	Quantity string
	// Bound is "", "lower" or "upper": an end of the interval of the mean or, against
	// a baseline, a one-sided bound of the difference. "min" and "max" are the lowest and
	// the highest value of a case; "below" and "above" count the cases beyond At.
	Bound string
	At    float64
	// Versus is set if the rule is about the difference from the baseline.
	Versus bool
	// Op is ">=", "<=", ">" or "<".
	Op string
	// Limit is a ratio, or a number in the metric's unit, in seconds or in dollars.
	Limit float64
	// Percent is set if the limit was written with "%".
	Percent bool
	// Text is the rule as written.
	Text string
}

// Quantities are what a rule may be about besides metrics.
var Quantities = []string{
	quantityErrors, quantityLosses, quantityCost, "mean_latency", "p50_latency", "p95_latency", "p99_latency",
}

const (
	quantityErrors = "errors"
	quantityLosses = "new_total_losses"
	quantityCost   = "cost"
	latencySuffix  = "_latency"
)

// kind is the kind of a rule's quantity. It determines the unit of the limit.
type kind uint8

const (
	kindMetric kind = iota
	kindShare
	kindLatency
	kindCost
	kindCount
)

func (r Rule) kind() kind {
	switch {
	case r.counted():
		return kindCount
	case r.Quantity == quantityErrors, r.Quantity == quantityLosses:
		return kindShare
	case r.Quantity == quantityCost:
		return kindCost
	case strings.HasSuffix(r.Quantity, latencySuffix) && slices.Contains(Quantities, r.Quantity):
		return kindLatency
	}
	return kindMetric
}

// String returns the rule in its canonical spelling, which [ParseRule] parses to the
// same rule: "faithfulness >= 0.85".
func (r Rule) String() string {
	quantity := r.Quantity
	switch {
	case r.counted():
		quantity = fmt.Sprintf("%s(%s, %s)", r.Bound, r.Quantity, decimal(r.At))
	case r.Bound != "":
		quantity += "." + r.Bound
	}
	if r.Versus {
		quantity += " vs baseline"
	}
	return quantity + " " + r.Op + " " + r.limit()
}

// limit formats the rule's number with its unit.
func (r Rule) limit() string {
	switch n := decimal(r.Limit); {
	case r.Percent:
		return percent(n)
	case r.kind() == kindLatency:
		return n + "s"
	case r.kind() == kindCost:
		return "$" + n
	default:
		return n
	}
}

// decimal formats a number without an exponent, in the fewest digits that are read
// back exactly.
func decimal(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

// rounding is the distance within which two numbers are equal, so that no mean misses
// a limit by a rounding error.
const rounding = 1e-9

// percent writes a decimal number as a percentage. Multiplying a float by 100 would round.
func percent(n string) string {
	x, ok := new(big.Rat).SetString(n)
	if !ok {
		return n + "%" // NaN
	}
	x.Mul(x, big.NewRat(100, 1))
	return strings.TrimSuffix(strings.TrimRight(x.FloatString(len(n)), "0"), ".") + "%"
}

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
	want := r.misused()
	switch {
	case r.Quantity == "":
		return errors.New("the rule names no quantity: expected a metric or another quantity")
	case !slices.Contains(ops, r.Op):
		return fmt.Errorf("%q: expected %s", r.Op, wantOp)
	case math.IsNaN(r.Limit) || math.IsInf(r.Limit, 0):
		return fmt.Errorf("the limit is %v: expected a number", r.Limit)
	case r.Bound != "" && !r.counted() && !slices.Contains(bounds, r.Bound):
		return fmt.Errorf("%q: expected %s", r.Bound, wantBound)
	case want != "":
		return errors.New(want)
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
