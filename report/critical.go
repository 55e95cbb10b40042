package report

import (
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/report/document"
	"github.com/assay-eval/assay/report/words"
	"github.com/assay-eval/assay/summary"
)

// Check returns what is known of a critical case, by its record and by the rules of the
// gate.
func (r *Report) Check(rec assay.Record) summary.Check { return r.Gate.Check(rec) }

// criticalFailed reports whether a record is of a critical case that failed.
func (r *Report) criticalFailed(rec assay.Record) bool {
	return rec.Case.Critical && r.Check(rec).State == summary.CheckFailed
}

// standing returns the status of a case for a page: its word, the status by which a
// reader selects it, and its mark. A critical case is not ok if it failed, or if nothing
// showed it to be right.
func (c *content) standing(x shownCase) (word string, is assay.Status, mark document.Mark) {
	switch {
	case x.Status != assay.StatusOK:
		return c.w.Status(x.Status), x.Status, document.Bad
	case c.r.criticalFailed(x.Record):
		return c.w.Check(summary.CheckFailed), assay.StatusFailed, document.Bad
	case x.Wrong:
		return c.w.PageNames().Wrong, x.Status, document.Bad
	case x.Case.Critical && c.r.Check(x.Record).State == summary.Unchecked:
		return c.w.Check(summary.Unchecked), x.Status, document.Unsure
	}
	return c.w.Status(x.Status), x.Status, document.None
}

func (c *content) criticalCount() words.Critical {
	s := c.r.Summary
	return words.Critical{Passed: s.CriticalPassed(), Failed: s.CriticalFailed, Unchecked: s.CriticalUnchecked,
		Unasked: s.CriticalUnasked}
}

func (c *content) criticalLine() string { return c.w.CriticalCount(c.criticalCount()) }

// openCritical returns why each critical case that did not pass did not: first those
// that failed.
func (c *content) openCritical() []string {
	var failed, open []int
	for i := range c.r.Cases.Len() {
		if !c.r.Cases.Critical(i) {
			continue
		}
		switch c.r.Check(c.r.Cases.Record(i)).State {
		case summary.CheckFailed:
			failed = append(failed, i)
		case summary.Unchecked:
			open = append(open, i)
		}
	}
	const most = 5
	rows := append(failed, open...)
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

// checkReason returns what the state of a critical case rests on; for a failure of the
// target, the failure.
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
