package words

import (
	"fmt"
	"strings"

	"github.com/assay-eval/assay/summary"
)

func (e English) CasesAsked(a Asked) string {
	cases := e.Cases(a.Cases)
	switch {
	case a.Draws > 1 && a.Done < a.Of():
		cases = fmt.Sprintf("%d of %d draws of %s", a.Done, a.Of(), cases)
	case a.Draws > 1:
		cases = fmt.Sprintf("%s × %d draws", cases, a.Draws)
	case a.Done < a.Of():
		cases = fmt.Sprintf("%d of %s", a.Done, cases)
	}
	if a.Critical > 0 {
		cases += fmt.Sprintf(" (%d critical)", a.Critical)
	}
	return cases
}

func (e English) CaseCount(a Asked) string {
	if a.Draws > 1 {
		a.Critical = 0
		return e.CasesAsked(a)
	}
	s := fmt.Sprintf("%d (%d critical)", a.Done, a.Critical)
	if left := a.Of() - a.Done; left > 0 {
		s += ", " + e.NotEvaluated(left)
	}
	return s
}

func (e English) Answers(n int, draws bool) string {
	if draws {
		return plural(n, "draw", "draws")
	}
	return e.Cases(n)
}

func (English) Outcome(s summary.Summary, short bool) string {
	text := fmt.Sprintf("%d ok", s.OK)
	a := s.Answers
	decided := a.Right+a.Wrong > s.Errors
	if decided {
		text = fmt.Sprintf("%d right, %d wrong", a.Right, a.Wrong)
		if s.Errors > 0 {
			text += " (" + plural(s.Errors, "error", "errors") + ")"
		}
		if a.Unknown > 0 {
			text += fmt.Sprintf(", %d unknown", a.Unknown)
		}
	}
	if s.Failed > 0 || !short {
		text += fmt.Sprintf(", %d below threshold", s.Failed)
	}
	if s.Errors > 0 && !decided || s.Errors == 0 && !short {
		text += ", " + plural(s.Errors, "error", "errors")
	}
	return text
}
func (English) Errors(n int, of, kinds string) string {
	return fmt.Sprintf("%d of %s: %s", n, of, kinds)
}
func (English) Below(n int, of string) string { return fmt.Sprintf("%d of %s below threshold", n, of) }

func (English) Corpus(path string, documents, passages int) string {
	size := plural(documents, "document", "documents")
	if passages > 0 {
		size += ", " + plural(passages, "passage", "passages")
	}
	if path == "" {
		return size
	}
	return path + " (" + size + ")"
}
func (English) CorpusOf(corpus string) string { return "corpus " + corpus }
func (English) BaselineOf(run string) string  { return "baseline " + run }

func (English) Latency(l Latency) string {
	s := fmt.Sprintf("mean %s · p50 %s · p95 %s · p99 %s · n %d", l.Mean, l.P50, l.P95, l.P99, l.N)
	switch {
	case l.Slow == 0:
		return s
	case l.Limit == "":
		return s + fmt.Sprintf(" · slow %d", l.Slow)
	}
	return s + fmt.Sprintf(" · slow (over %s): %d", l.Limit, l.Slow)
}

func (English) Usage(cost string, in, out int) string {
	tokens := ""
	if in+out > 0 {
		tokens = fmt.Sprintf("%d tokens in, %d out", in, out)
	}
	return dotted(cost, tokens)
}

func (English) EstimatedCost(b Bill) string {
	calls := plural(b.Calls, "call", "calls")
	switch {
	case b.Estimated != "" && b.Calls > 0:
		return b.Estimated + " for judging, " + calls
	case b.Estimated != "":
		return b.Estimated + " for judging"
	case b.Calls > 0:
		return calls + " for judging, at no known price"
	}
	return ""
}

func (e English) ActualCost(b Bill) string {
	parts := e.CostParts(b)
	if parts == "" {
		return ""
	}
	return b.Total + " (" + parts + ")"
}

func (English) CostParts(b Bill) string {
	var of []string
	if b.Target != "" {
		of = append(of, "target "+b.Target)
	}
	switch {
	case b.Judging != "":
		of = append(of, "judging "+b.Judging)
	case b.Paid:
		of = append(of, "judging $0.00: every reply was paid for earlier")
	}
	return strings.Join(of, ", ")
}

func (e English) CostNote(b Bill) string {
	s := e.CostParts(b)
	if b.Estimated == "" && b.Calls == 0 {
		return s
	}
	if s != "" {
		s += "; "
	}
	if b.Estimated != "" {
		return s + "judging was estimated at " + b.Estimated
	}
	return s + "estimated: " + e.EstimatedCost(b)
}

func (e English) Cost(b Bill, usage string) string {
	estimated, actual := e.EstimatedCost(b), e.ActualCost(b)
	if estimated != "" {
		estimated = "estimated " + estimated
	}
	if actual != "" {
		actual = "actual " + actual
	}
	return dotted(estimated, actual, e.TargetUsage(usage))
}

func (English) TargetUsage(usage string) string {
	if usage == "" {
		return ""
	}
	return "target " + usage
}

func (English) OfflineJudge() string         { return "offline: estimates, no model judged" }
func (English) Panel(judges []string) string { return "panel of " + strings.Join(judges, ", ") }

func (English) Delegated(judge, question, by string) string {
	return judge + ", " + question + " by " + by
}

func (English) Judging(j Judging) string {
	passes, calls, failed, checked := "", "", "", ""
	if j.Passes > 1 {
		passes = fmt.Sprintf("up to %d passes", j.Passes)
	}
	if j.Rechecked > 0 {
		checked = fmt.Sprintf("further passes overturned %d of %s", j.Overturned, plural(j.Rechecked, "sure ruling", "sure rulings"))
	}
	if j.PerCase != "" {
		calls = plural(j.Calls, "call", "calls") + ", " + j.PerCase + " a case"
	}
	var saved []string
	if j.Cached > 0 {
		saved = append(saved, fmt.Sprintf("%d paid for earlier", j.Cached))
	}
	if j.Shared > 0 {
		saved = append(saved, fmt.Sprintf("%d asked for another case already", j.Shared))
	}
	if saved != nil {
		calls += " (" + strings.Join(saved, ", ") + ")"
	}
	if j.Failed > 0 {
		failed = plural(j.Failed, "question without an answer", "questions without an answer")
	}
	return dotted(j.Judge, passes, calls, failed, checked, j.Usage, j.Paid)
}

// dotted joins the non-empty parts of a line with dots.
func dotted(parts ...string) string {
	var kept []string
	for _, p := range parts {
		if p != "" {
			kept = append(kept, p)
		}
	}
	return strings.Join(kept, " · ")
}
