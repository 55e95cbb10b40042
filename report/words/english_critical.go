package words

import (
	"fmt"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/summary"
)

func (English) CriticalCount(c Critical) string {
	text := fmt.Sprintf("%d of %d passed", c.Passed, c.Of())
	if c.Failed > 0 {
		text += fmt.Sprintf(", %d failed", c.Failed)
	}
	if c.Unchecked > 0 {
		text += fmt.Sprintf(", %d unchecked", c.Unchecked)
	}
	if c.Unasked > 0 {
		text += fmt.Sprintf(", %d not asked", c.Unasked)
	}
	return text
}

func (English) CriticalTitle(count string) string { return "Critical cases: " + count }

func (e English) CriticalCard(c Critical) string {
	if c.Passed == c.Of() {
		return "passed"
	}
	return strings.TrimPrefix(e.CriticalCount(c), fmt.Sprintf("%d of %d passed, ", c.Passed, c.Of()))
}

func (English) Check(s summary.CheckState) string {
	switch s {
	case summary.CheckPassed:
		return "passed"
	case summary.CheckFailed:
		return "failed"
	}
	return "unchecked"
}

func (English) CheckReason(c summary.Check) string {
	switch c.Basis {
	case summary.ByFailure:
		return "no response"
	case summary.ByAnswer:
		switch c.State {
		case summary.CheckPassed:
			return "the answer is right"
		case summary.CheckFailed:
			return "the answer is wrong"
		}
		return "whether the answer is right is not known: a judge or a short reference answer would show it"
	case summary.ByEvidence:
		where := "what was retrieved"
		if c.K > 0 {
			where = fmt.Sprintf("the first %d", c.K)
		}
		switch c.State {
		case summary.CheckPassed:
			return "the expected evidence is among " + where
		case summary.CheckFailed:
			if c.Missed > 0 {
				return fmt.Sprintf("%s not among %s", plural(c.Missed, "expected document is", "expected documents are"), where)
			}
			return "none of the expected evidence is among " + where
		}
		return "only part of the expected evidence is among " + where
	case summary.ByRule:
		if c.State == summary.CheckFailed {
			return "breaks " + strings.Join(c.Rules, ", ")
		}
		return "meets " + strings.Join(c.Rules, ", ")
	}
	return "nothing was checked: a judge, a reference answer or expected documents would show whether it is right"
}

func (English) OutcomeRule(by []string) string {
	how := make([]string, len(by))
	for i, rule := range by {
		if how[i] = "a judge"; rule != "" {
			how[i] = rule
		}
	}
	return "A case is right or wrong by its answer: " + strings.Join(how, " or ") + " decides, else the labels. Otherwise the evidence decides: " +
		"without any of it the case is wrong, and with all of it right if no answer is expected. A case without a response is wrong. " +
		"Checks of the case and gate rules on single cases count, too. Everything else is unknown."
}

func (e English) Turned(baseline, run string, old, now assay.Correctness) string {
	return e.Correct(old) + " in " + baseline + ", " + e.Correct(now) + " in " + run
}
