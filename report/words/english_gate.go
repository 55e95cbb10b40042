package words

import (
	"fmt"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/gate"
)

func (English) Gate() string                          { return "Gate" }
func (English) NoGate() string                        { return "No gate" }
func (English) GateTitle(name, verdict string) string { return "Gate of " + name + ": " + verdict }
func (English) GateHeads() GateHeads {
	return GateHeads{Table: "Rules of the gate", Rule: "Rule", Status: "Status", Baseline: "Baseline", Run: "Run",
		Interval: "Interval", People: "As people would judge it", Cases: "Cases"}
}
func (English) BaselineRefused(reason string) string { return "baseline refused: " + reason }

func (English) Verdict(v gate.Verdict) string {
	switch v {
	case gate.Pass:
		return "PASS"
	case gate.Fail:
		return "FAIL"
	}
	return "UNSURE"
}

func (English) Tracked() string { return "tracked" }

func (English) AllMet(rules int, thresholds bool) string {
	switch {
	case rules == 0:
		return "nothing is gated"
	case thresholds && rules == 1:
		return "the threshold is reached"
	case thresholds:
		return fmt.Sprintf("all %d thresholds are reached", rules)
	case rules == 1:
		return "the rule is met"
	}
	return fmt.Sprintf("all %d rules are met", rules)
}

func (e English) Rule(r Rule) string {
	text := r.Rule
	for _, s := range []string{r.Moved, r.Value, r.Reason} {
		if s != "" {
			text += ": " + s
		}
	}
	if len(r.Cases) == 0 {
		return text
	}
	what := "; cases: "
	if r.Versus {
		what = "; lost most: "
	}
	return text + what + e.List(r.Cases, r.More)
}

func (English) Threshold(t Threshold) string {
	text := t.Metric
	if t.Value != "" {
		text += " " + t.Value
	}
	switch t.Result {
	case Reached:
		return text + " reaches " + t.Limit
	case Missed:
		return text + " misses " + t.Limit
	case Refuted:
		return text + ": " + t.Reason
	case Unmeasured:
		return text + ": " + t.Reason + ", wants " + t.Wants
	case Undecided:
		return text + " may reach or miss " + t.Limit + ": it lies in " + t.Bounds
	}
	return text + " is not known to reach " + t.Limit + ": " + t.Reason
}

func (English) Misses(metric, value, limit string, atBest bool) string {
	if atBest {
		value = "is " + value + " at best and"
	}
	return metric + " " + value + " misses " + limit
}

func (English) Ending(e Ending, n, of int) string {
	switch e {
	case NoCase:
		return "no case was evaluated"
	case AllFailed:
		return fmt.Sprintf("the target failed %s of %d", plural(n, "case", "cases"), of)
	case Unfinished:
		return fmt.Sprintf("%d of %d cases were evaluated", n, of)
	case CriticalFailed:
		return fmt.Sprintf("%d of %d critical cases failed", n, of)
	case BaselineDropped:
		return "the baseline was not compared"
	case RulesNotMet:
		return fmt.Sprintf("%d of %s", n, plural(of, "rule is not met", "rules are not met"))
	case RulesOpen:
		return fmt.Sprintf("too few cases leave %d of %s", n, plural(of, "rule open", "rules open"))
	}
	return "the gate did not pass"
}

// Status returns "below threshold" for the status that JSON calls "failed", which
// could be read as if the target had given no response.
func (English) Status(s assay.Status) string {
	if s == assay.StatusFailed {
		return "below threshold"
	}
	return string(s)
}

func (English) State(s assay.State) string {
	switch s {
	case assay.NotApplicable:
		return "n/a"
	case assay.Abstained:
		return "abstained"
	case assay.TargetError:
		return "error"
	}
	return "not scored"
}

func (English) NoResponse() string { return "no response" }

func (e English) CaseResult(c CaseResult) string {
	word := ""
	switch {
	case c.Status == assay.StatusError && (c.Short || c.Failure == ""):
		word = "ERROR"
	case c.Status == assay.StatusError:
		word = "ERROR " + c.Failure
	case c.Status == assay.StatusFailed && c.Short:
		word = "FAILED"
	case c.Status == assay.StatusFailed:
		word = c.Missed[0]
		if more := len(c.Missed) - 1; more > 0 {
			word += fmt.Sprintf(" and %d more", more)
		}
	case c.Wrong && c.Full:
		word = "wrong"
	case c.Wrong:
		word = "wrong, " + c.Good
	case c.Full && c.Unscored:
		word = "not fully scored"
	case c.Full:
		word = "full marks"
	default:
		word = c.Good
	}
	if c.Lost {
		word += ", " + e.LostAt(c.Stage)
	}
	if c.Critical {
		word += ", critical"
	}
	return word
}
