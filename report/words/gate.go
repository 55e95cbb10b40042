package words

import (
	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/gate"
)

// gates are the words about the verdicts on rules, on cases and on the whole run.
type gates interface {
	Gate() string
	NoGate() string
	GateTitle(name, verdict string) string
	GateHeads() GateHeads
	BaselineRefused(reason string) string
	Verdict(v gate.Verdict) string
	// Tracked is shown in place of a verdict.
	Tracked() string
	// AllMet says that every rule passed. thresholds is set if all of them are
	// thresholds of metrics.
	AllMet(rules int, thresholds bool) string
	Rule(r Rule) string
	Threshold(t Threshold) string
	// Misses says that a case missed a threshold. atBest is set if it does so even
	// with the best value that is still possible.
	Misses(metric, value, limit string, atBest bool) string
	// Ending explains the result of a run. n and of are the counts of its kind.
	Ending(e Ending, n, of int) string
	Status(s assay.Status) string
	// State says why there is no value.
	State(s assay.State) string
	NoResponse() string
	CaseResult(c CaseResult) string
}

// GateHeads are the headings of the table of rules.
type GateHeads struct{ Table, Rule, Status, Baseline, Run, Interval, People, Cases string }

// A Rule is a rule with its result. Moved has the two values and their difference.
type Rule struct {
	Rule, Moved, Value, Reason string
	// Cases are the cases that the rule concerns. Versus is set if they are those that
	// lost most against the baseline.
	Cases  []string
	More   int
	Versus bool
}

// A Threshold is the threshold of a metric with its result. Wants is the limit with
// its sign, Bounds the range of the possible means.
type Threshold struct {
	Metric, Value, Limit, Wants, Bounds, Reason string
	Result                                      ThresholdResult
}

// A ThresholdResult says how a mean relates to its threshold.
type ThresholdResult uint8

// The results: the mean reaches its threshold or misses it; it fails whatever the
// unknown scores are; it was not measured; it depends on unknown scores; it is unknown
// for another reason.
const (
	Reached ThresholdResult = iota
	Missed
	Refuted
	Unmeasured
	Undecided
	Unknown
)

// An Ending is the reason why a run does not simply pass.
type Ending uint8

// The endings, each with the meaning of n and of.
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

// A CaseResult is how a case did, for a short description.
type CaseResult struct {
	Status assay.Status
	// Failure is the kind of failure, "" if the target answered.
	Failure string
	// Missed are the thresholds that the case missed, in words.
	Missed []string
	// Good is the case's mean position between worst and best. Full is set if that is
	// 1, Unscored if some metric could not be computed.
	Good           string
	Full, Unscored bool
	// Wrong is set if the case is wrong.
	Wrong bool
	// Lost is set if the case failed at Stage.
	Lost     bool
	Stage    string
	Critical bool
	// Short leaves out what the following lines repeat.
	Short bool
}
