package report

import (
	"slices"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/gate"
	"github.com/assay-eval/assay/report/document"
	"github.com/assay-eval/assay/report/words"
	"github.com/assay-eval/assay/summary"
)

// What a short report shows at most.
const (
	shortMetrics  = 7
	shortCases    = 5
	shortWarnings = 3
	shortReasons  = 5
)

// shortSections lists the sections of a short report of a run, in order.
var shortSections = []func(*content) []document.Section{
	(*content).outcomes, (*content).results, (*content).cases, (*content).fewWarnings,
}

// outcomes begins a short report: how the run ended, in named lines.
func (c *content) outcomes() []document.Section {
	s, n := c.r.Summary, c.w.Names().FactNames
	var items factList
	say := items.add
	add := func(name string, lines []document.Text) {
		if more := len(lines) - shortReasons; more > 0 {
			lines = append(lines[:shortReasons:shortReasons], document.T(c.w.More(more)))
		}
		if len(lines) > 0 {
			items = append(items, document.Fact{Name: name, Lines: lines, Hang: name == n.Gate || name == n.Lost})
		}
	}
	add(n.Gate, c.gateLines())
	outcome := c.outcome()
	if s.Critical > 0 && s.CriticalPassed() == s.Critical {
		outcome += " · " + c.w.Say("CriticalFact", c.criticalCount())
	}
	say(n.Outcome, outcome)
	if lines := c.repeatLines(); lines != nil {
		say(n.Draws, lines[0])
	}
	if s.Errors > 0 {
		say(n.Errors, c.w.Say("Errors", words.V{"n": s.Errors, "of": c.answers(c.r.Summary.Cases), "kinds": failureKinds(c.r.Cases)}))
	}
	if s.CriticalPassed() < s.Critical {
		say(n.Critical, append([]string{c.criticalLine()}, c.openCritical(shortReasons-1)...)...)
	}
	if w := s.Waterfall; w != nil && (w.Facts > 0 || w.Failed > 0) {
		lines := []string{c.w.Lost(w, s.Answers.Wrong-s.Errors)}
		if slices.ContainsFunc(w.Verdicts, func(at summary.Verdict) bool { return at.Stage == "" }) {
			lines = append(lines, c.w.Unclear(w)...)
		}
		if w.Short > 0 {
			lines = append(lines, c.w.Say("LostNote.Short", words.V{"n": w.Short}))
		}
		add(n.Lost, document.Of(lines...))
	}
	say(n.Cost, c.costLine())
	if name := c.judgeName(); name != "" {
		add(n.Judge, document.Of(append([]string{name}, c.aboutJudge()...)...))
	}
	return []document.Section{{ID: "outcomes", Bare: document.Glance, Blocks: facts(items)}}
}

// shortest chooses the metrics of a short report: those that a rule or a threshold failed
// or left open, then the composite and the others that have one, then the others as the
// run has them. They stay in the order of metrics.
func (c *content) shortest(metrics []summary.Metric) []summary.Metric {
	return chosen(metrics, func(m summary.Metric) int {
		rank := 2
		if m.Name == assay.CompositeName {
			rank = 1
		}
		if c.r.Gate == nil {
			return rank
		}
		for _, x := range c.r.Gate.Results {
			switch {
			case x.Metric != m.Name:
			case x.Verdict != gate.Pass:
				return 0
			default:
				rank = 1
			}
		}
		return rank
	})
}

// chosen returns the shortMetrics elements of the lowest ranks, the first of equal ones,
// in the order of the list.
func chosen[T any](list []T, rank func(T) int) []T {
	at := make([]int, len(list))
	for i := range at {
		at[i] = i
	}
	slices.SortStableFunc(at, func(a, b int) int { return rank(list[a]) - rank(list[b]) })
	at = at[:min(len(at), shortMetrics)]
	slices.Sort(at)
	out := make([]T, len(at))
	for i, k := range at {
		out[i] = list[k]
	}
	return out
}

// leftOut says below a short table how many metrics a verbose one adds.
func leftOut(w words.Words, n int) []document.Block {
	if n == 0 {
		return nil
	}
	return []document.Block{document.Paragraph{Text: document.T(w.Say("MoreMetrics", words.V{"n": n}))}}
}

// fewWarnings are the first warnings, those of the gate before those of the run.
func (c *content) fewWarnings() []document.Section {
	list := c.told()
	if g := c.r.Gate; g != nil {
		list = slices.Concat(words.Findings(c.w, g.Warnings), list)
	}
	if more := len(list) - shortWarnings; more > 0 {
		list = append(list[:shortWarnings:shortWarnings], c.w.Say("MoreVerbose", words.V{"n": more}))
	}
	return warnings(c.w, list)
}
