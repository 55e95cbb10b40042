package words

import (
	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/gate"
)

func (w Words) BaselineRefused(reason string) string {
	return w.Say("BaselineRefused", v{"reason": reason})
}
func (w Words) Verdict(verdict gate.Verdict) string { return w.Say("Verdict", v{"verdict": verdict}) }

func (w Words) Rule(r Rule) string {
	cases := ""
	if len(r.Cases) > 0 {
		cases = w.List(r.Cases, r.More)
	}
	return w.Say("Rule", v{"r": r, "cases": cases})
}

func (w Words) Status(s assay.Status) string { return w.Say("Status."+string(s), nil) }

// State says why there is no value.
func (w Words) State(s assay.State) string {
	name := "unscored"
	switch s {
	case assay.NotApplicable:
		name = "notApplicable"
	case assay.Abstained:
		name = "abstained"
	case assay.TargetError:
		name = "error"
	}
	return w.Say("State."+name, nil)
}
func (w Words) CaseResult(c CaseResult) string {
	name, failure := "", c.Failure
	switch {
	case c.Status == assay.StatusError:
		name = "error"
		if c.Short {
			failure = ""
		}
	case c.Status == assay.StatusFailed && c.Short:
		name = "failed"
	case c.Status == assay.StatusFailed:
		name = "missed"
	case c.Wrong:
		name = "wrong"
	case c.Full && c.Unscored:
		name = "unscored"
	case c.Full:
		name = "full"
	default:
		name = "good"
	}
	word := w.Say("CaseResult."+name, v{"c": c, "failure": failure, "more": len(c.Missed) - 1})
	return w.Say("CaseResult.all", v{"c": c, "word": word, "lost": w.LostAt(c.Stage)})
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
type ThresholdResult string

// The results: the mean reaches its threshold or misses it; it fails whatever the
// unknown scores are; it was not measured; it depends on unknown scores; it is unknown
// for another reason.
const (
	Reached    ThresholdResult = "Reached"
	Missed     ThresholdResult = "Missed"
	Refuted    ThresholdResult = "Refuted"
	Unmeasured ThresholdResult = "Unmeasured"
	Undecided  ThresholdResult = "Undecided"
	Unknown    ThresholdResult = "Unknown"
)

// An Ending is the reason why a run does not simply pass.
type Ending string

// The endings, each with the meaning of n and of.
const (
	NoCase          Ending = "NoCase"          // nothing
	AllFailed       Ending = "AllFailed"       // cases that the target failed, all cases
	Unfinished      Ending = "Unfinished"      // cases evaluated, all cases
	CriticalFailed  Ending = "CriticalFailed"  // critical cases that failed, all critical cases
	BaselineDropped Ending = "BaselineDropped" // nothing
	RulesNotMet     Ending = "RulesNotMet"     // rules not met, all rules
	GateClosed      Ending = "GateClosed"      // nothing
	RulesOpen       Ending = "RulesOpen"       // rules left open, all rules
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
