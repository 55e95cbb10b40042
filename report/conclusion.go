package report

import (
	"slices"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/columns"
	"github.com/assay-eval/assay/gate"
	"github.com/assay-eval/assay/report/document"
	"github.com/assay-eval/assay/report/words"
	"github.com/assay-eval/assay/summary"
)

// A conclusion is the result of a whole run, as exit codes express it.
type conclusion struct {
	// Word is "PASS", "FAIL", "UNSURE", "ERROR", "INCOMPLETE" or, for a run without a gate,
	// "DONE".
	Word string
	// Why is the reason if it is not simply PASS or DONE, else "".
	Why string
}

// OK reports whether the run ended well.
func (s conclusion) OK() bool { return s.Word == "PASS" || s.Word == "DONE" }

// conclusion returns the result of the run. With [Options.Strict], a rule that has too
// few cases to decide it fails.
func (c *content) conclusion() conclusion {
	r, s := c.r, c.r.Summary
	switch {
	case s.Cases == 0:
		return conclusion{"ERROR", c.w.Say("Ending.NoCase", nil)}
	case s.Errors == s.Cases:
		return conclusion{"ERROR", c.w.Say("Ending.AllFailed", words.V{"answers": c.answers(c.r.Summary.Cases), "of": s.Cases})}
	case r.Cases.Len() < r.Header.Asked() || r.Header.State == "interrupted" && !r.Header.Deferred:
		return conclusion{"INCOMPLETE", c.w.Say("Ending.Unfinished", c.asked())}
	case s.CriticalFailed > 0:
		return conclusion{"FAIL", c.w.Say("Ending.CriticalFailed", words.V{"n": s.CriticalFailed, "of": s.Critical})}
	case r.Gate == nil:
		return conclusion{Word: "DONE"}
	case len(r.Gate.Refused) > 0:
		return conclusion{"FAIL", c.w.Say("Ending.BaselineDropped", nil)}
	}
	count, missed := map[gate.Verdict]int{}, 0
	for _, res := range r.Gate.Results {
		if count[res.Final(c.o.Strict)]++; res.Verdict == gate.Fail {
			missed++
		}
	}
	switch {
	case missed > 0:
		return conclusion{"FAIL", c.w.Say("Ending.RulesNotMet", words.V{"n": missed, "of": len(r.Gate.Results)})}
	case count[gate.Fail] > 0:
		return conclusion{"UNSURE", c.w.Say("Ending.RulesUnsure", words.V{"n": count[gate.Fail], "of": len(r.Gate.Results)})}
	case !r.Gate.Passed(c.o.Strict):
		return conclusion{"FAIL", c.w.Say("Ending.GateClosed", nil)}
	case count[gate.Inconclusive] > 0:
		return conclusion{"PASS", c.w.Say("Ending.RulesOpen", words.V{"n": count[gate.Inconclusive], "of": len(r.Gate.Results)})}
	}
	return conclusion{Word: "PASS"}
}

// namedCases is how many cases a short list names.
const namedCases = 10

// Explain returns, in English, a line about how a rule ended and a line for each of
// the cases that lost most.
func (r *Report) Explain(res gate.Result) string { return newContent(r, Options{}).explain(res) }

func (c *content) explain(res gate.Result) string {
	return strings.Join(append([]string{c.finding(res)}, c.worst(res)...), "\n")
}

// finding returns how a rule ended, without the cases that lost most.
func (c *content) finding(res gate.Result) string {
	res.Cases = nil
	return c.ruleLine(res)
}

// worst returns the first cases that a rule names, with their questions.
func (c *content) worst(res gate.Result) []string {
	var out []string
	for i, named := range res.Cases {
		if i == namedCases {
			return append(out, c.w.More(len(res.Cases)-i))
		}
		text := line(named)
		for i := range c.r.Cases.Len() {
			// The id may be followed by what the case lost: "q7 (1 → 0)".
			if id := c.r.Cases.Base(i); named == id || strings.HasPrefix(named, id+" (") {
				text += ": " + clip(line(c.whole(i).Case.Question), questionChars)
				break
			}
		}
		out = append(out, text)
	}
	return out
}

// Why returns, in English, the question of a case that is not ok and the reason:
// "tc_001: Where is it? – faithfulness 0.500 misses 0.85".
func (r *Report) Why(rec assay.Record) string {
	text := line(rec.Case.ID) + ": " + clip(line(rec.Case.Question), questionChars)
	if reason := newContent(r, Options{}).why(rec); reason != "" {
		text += " – " + reason
	}
	return text
}

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

func (c *content) criticalLine() string {
	return c.byEstimate(c.w.Say("CriticalCount", c.criticalCount()))
}

// byEstimate marks counts that an estimate by formula decides: the outcome of the run may name its metric.
func (c *content) byEstimate(counts string) string {
	metric := strings.FieldsFunc(c.r.Header.Config["outcome"]+" ", func(r rune) bool { return strings.ContainsRune(" <>=", r) })
	if len(metric) > 0 && c.r.info(metric[0]).Estimate {
		return counts + " ≈"
	}
	return counts
}

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
