package gate

import "errors"

// A Rule is a condition on a run, as a person writes it:
//
//	faithfulness >= 0.85
//	ndcg@10.lower >= 0.6
//	recall@5 vs baseline >= -0.02
//	errors <= 1%
//	new_total_losses <= 2%
//	p95_latency <= 2s
//	cost <= 1.50
//
// The grammar, with blanks allowed between words:
//
//	rule     = quantity [ "vs" "baseline" ] op number
//	quantity = metric [ "." bound ] | "errors" | "new_total_losses" | moment "_latency" | "cost"
//	metric   = the name of a metric with its parameters, such as rbp(p=0.8)@10, or "composite"
//	bound    = "lower" | "upper"
//	moment   = "mean" | "p50" | "p95" | "p99"
//	op       = ">=" | "<=" | ">" | "<"
//	number   = ["-" | "+"] decimal [ "%" | "ms" | "s" | "m" ] | "$" decimal
//
// "%" is of a ratio, "ms", "s" and "m" are of a latency, dollars of the cost of
// the whole run, target and judging. errors is the share of cases in which the
// target failed; new_total_losses is the share of cases that fell from 0.5 or
// more in the baseline to the worst value, over all metrics that the baseline
// gates; it needs a baseline without saying so.
type Rule struct {
	// Quantity is the metric's canonical name, or one of the other words.
	Quantity string
	// Bound is "", "lower" or "upper": the end of the interval of the mean; of
	// the one-sided bounds of the difference, against a baseline.
	Bound string
	// Versus is set when the difference from the baseline is meant.
	Versus bool
	// Op is ">=", "<=", ">" or "<".
	Op string
	// Limit is a ratio, or in the unit of the metric, in seconds or in dollars.
	Limit float64
	// Text is the rule as it was written.
	Text string
}

// ParseRule reads a rule. The error says where it goes wrong and what would be
// right. Names of metrics are checked by [Policy.Check], not here.
func ParseRule(s string) (Rule, error) { return Rule{}, errors.New("not written yet") }

// String gives the rule in its usual spelling.
func (r Rule) String() string { return r.Text }
