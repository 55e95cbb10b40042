package words

import (
	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/gate"
)

// gates are the words about verdicts: of rules, of cases and of the whole run.
type gates interface {
	Gate() string
	NoGate() string
	GateTitle(name, verdict string) string
	GateHeads() GateHeads
	BaselineRefused(reason string) string
	Verdict(v gate.Verdict) string
	// Tracked stands where a verdict would.
	Tracked() string
	// AllMet says that every rule passed; thresholds says that all of them are
	// thresholds of metrics.
	AllMet(rules int, thresholds bool) string
	Rule(r Rule) string
	Threshold(t Threshold) string
	// Misses says that a case missed a threshold; atBest that it does so even
	// with the best value that is still possible.
	Misses(metric, value, limit string, atBest bool) string
	// Ending says why a run ends as it does; n and of are the counts of its kind.
	Ending(e Ending, n, of int) string
	Status(s assay.Status) string
	// State says why there is no value.
	State(s assay.State) string
	NoResponse() string
	CaseResult(c CaseResult) string
}

// GateHeads head the table of rules.
type GateHeads struct{ Table, Rule, Status, Baseline, Run, Interval, Cases string }

// A Rule is a rule with its result. Moved shows the two values and their
// difference.
type Rule struct {
	Rule, Moved, Value, Reason string
	// Cases are those that the rule is about, Versus tells that they are those
	// that lost most against the baseline.
	Cases  []string
	More   int
	Versus bool
}

// A Threshold is the threshold of a metric with its result. Wants is the limit
// with its sign, Bounds where the mean may lie.
type Threshold struct {
	Metric, Value, Limit, Wants, Bounds, Reason string
	Result                                      ThresholdResult
}

// A ThresholdResult says how a mean relates to its threshold.
type ThresholdResult uint8

// The results: the mean reaches its threshold or misses it; it fails whatever
// the unknown scores are; it was not measured; unknown scores decide; it is not
// known for another reason.
const (
	Reached ThresholdResult = iota
	Missed
	Refuted
	Unmeasured
	Undecided
	Unknown
)

// An Ending is why a run does not simply pass.
type Ending uint8

// The endings; each is followed by what n and of count.
const (
	NoCase          Ending = iota // nothing
	AllFailed                     // cases that the target failed, all cases
	Unfinished                    // cases evaluated, all cases
	CriticalFailed                // critical cases that failed, all critical cases
	BaselineDropped               // nothing
	RulesNotMet                   // rules not met, all rules
	GateClosed                    // nothing
	RulesOpen                     // rules left open, all rules
)

// A CaseResult is how a case did, to be said in a few words.
type CaseResult struct {
	Status assay.Status
	// Failure is the kind of failure; "" where the target answered.
	Failure string
	// Missed are the thresholds that it missed, in words.
	Missed []string
	// Good is its mean way from worst to best, Full says that this is 1, and
	// Unscored that some metric could not be computed.
	Good           string
	Full, Unscored bool
	// Lost says that it failed at Stage.
	Lost     bool
	Stage    string
	Critical bool
	// Short leaves out what the lines below repeat.
	Short bool
}
