package report

import (
	"slices"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/columns"
	"github.com/assay-eval/assay/report/document"
	"github.com/assay-eval/assay/report/words"
	"github.com/assay-eval/assay/summary"
)

// Check says whether a case is right, by its record and by the rules of the gate on single
// cases. Every list, count and file asks it. Records of a baseline file show nothing.
func (r *Report) Check(rec assay.Record) summary.Check {
	if remembered(&rec) {
		return summary.Check{State: summary.Unchecked, Basis: summary.ByNothing}
	}
	if r.checks == nil {
		return r.Gate.Checks()(rec)
	}
	return r.checks(rec)
}

// Critical returns the critical cases by what is known of them.
func (r *Report) Critical() summary.Critical {
	return summary.CriticalCases(r.Header, r.Cases, r.Check, r.allCritical)
}

// Checks returns [Report.Check] of a stored run.
func Checks(h assay.Header, cases *columns.Table) func(assay.Record) summary.Check {
	if h.Config["gate.rules"] == "" {
		return summary.CheckOf
	}
	return From(h, cases, Derived{}, nil).Check
}

// OutcomeRule says what makes a case of the runs right or wrong.
func OutcomeRule(w words.Words, runs ...assay.Header) string {
	var how []string
	for _, h := range runs {
		if by := w.Say("OutcomeBy", words.V{"rule": line(h.Config["outcome"])}); !slices.Contains(how, by) {
			how = append(how, by)
		}
	}
	return w.Say("OutcomeRule", words.V{"how": how})
}

// OutcomeRule is [OutcomeRule] of the runs.
func (c *Comparison) OutcomeRule(w words.Words) string {
	return OutcomeRule(w, mapped(c.Reports, headerOf)...)
}

func headerOf(r *Report) assay.Header { return r.Header }

// criticalFailed reports whether a record is of a critical case that failed.
func (r *Report) criticalFailed(rec assay.Record) bool {
	return rec.Case.Critical && r.Check(rec).State == summary.CheckFailed
}

// standing says how a case ended: in a word, by the status by which a reader selects it,
// and by its mark. A case is ok only if something showed it to be right.
func (c *content) standing(x shownCase) (cell document.Cell, is assay.Status) {
	check, n := c.r.Check(x.Record), c.w.Names().PageNames
	said, verdict := []string{c.w.Status(x.Status)}, c.w.Correct(check.Outcome())
	if is = x.Status; is != assay.StatusOK {
		cell.Mark = document.Bad
	}
	if x.Case.Critical {
		verdict = c.w.Check(check.State)
	}
	switch {
	case is == assay.StatusError || check.State == summary.CheckPassed:
	case is == assay.StatusFailed:
		said = append(said, verdict)
	case check.State == summary.Unchecked:
		said, cell.Mark = []string{verdict}, document.Unsure
	default:
		said, cell.Mark = []string{verdict}, document.Bad
		if x.Case.Critical {
			is = assay.StatusFailed
		}
	}
	if x.Case.Critical {
		said = append(said, n.Critical)
	}
	cell.Text = document.T(strings.Join(said, " · "))
	return cell, is
}

func (c *content) criticalCount() words.Critical {
	s := c.r.Summary
	return words.Critical{Passed: s.CriticalPassed(), Failed: s.CriticalFailed, Unchecked: s.CriticalUnchecked,
		Unasked: s.CriticalUnasked}
}

func (c *content) criticalLine() string { return c.w.Say("CriticalCount", c.criticalCount()) }

// openCritical returns why critical cases did not pass: the first most of them, those that
// failed first.
func (c *content) openCritical(most int) []string {
	critical := c.r.Critical()
	rows := slices.Concat(critical.Failed, critical.Unchecked)
	var out []string
	for _, i := range rows[:min(len(rows), most)] {
		rec := c.whole(i)
		check := c.r.Check(rec)
		out = append(out, clip(line(rec.Case.ID), 40)+" "+c.w.Check(check.State)+": "+c.checkReason(rec, check))
	}
	if n := len(rows) - most; n > 0 {
		out = append(out, c.w.More(n))
	}
	return out
}

// checkReason returns what the state of a case rests on; for a failure of the target, the
// failure.
func (c *content) checkReason(rec assay.Record, check summary.Check) string {
	if check.Basis == summary.ByFailure {
		return c.why(rec)
	}
	return c.w.CheckReason(check)
}

// criticalItem returns the result of a critical case.
func (c *content) criticalItem(rec assay.Record) document.Item {
	check := c.r.Check(rec)
	word := document.Span{Text: c.w.Check(check.State)}
	if check.State != summary.CheckPassed {
		word = document.Span{Text: strings.ToUpper(word.Text), Style: document.Strong}
	}
	return document.Item{Text: document.Text{word, {Text: " "}, {Text: rec.Case.ID, Style: document.Code}, {Text: ": " +
		clip(line(rec.Case.Question), 160) + " – " + c.checkReason(rec, check)}}}
}
