package words

import (
	"fmt"
	"strings"

	"github.com/assay-eval/assay"
)

func (English) CasesTitle() string { return "Cases" }
func (e English) FailedCases(shown, of int) string {
	if shown == of {
		return fmt.Sprintf("Failed cases (%d)", of)
	}
	return "Failed cases (" + e.Of(shown, of) + ")"
}
func (English) MoreFailed(n int) string {
	return "… and " + plural(n, "failed case", "failed cases") + " more in the other formats."
}
func (e English) LowestCases(shown, of int, by Order) string {
	order := "by the mean of their scores"
	if by.Composite {
		order = "by composite"
	}
	if by.Wrong {
		order = "wrong first, then " + order
	}
	return "Lowest cases, " + order + " (" + e.Of(shown, of) + ")"
}
func (English) CaseNames() CaseNames {
	return CaseNames{
		Question: "Question", Failure: "Failure", Below: "Below threshold", Tries: "Failed attempts", Passages: "Retrieved " +
			"passages", Answer: "Answer",
		Lost: "Where it was lost", Facts: "Facts", Ladder: "With the right outputs", Note: "Note", Transcript: "Transcript against the " +
			"reference",
		Parts: "Sub-questions", Dropped: "Dropped by the filter", Scores: "Scores", Reasoning: "Judge’s reasoning", Estimates: "What " +
			"the estimates rest on",
		Claims: "Unsupported claims", Remarks: "Remarks of the judging", Trace: "Trace", Stage: "Stage", Model: "Model", Time: "Time",
		TraceNote: "Note",
	}
}
func (English) FailedAfter(kind, attempts string) string { return kind + " after " + attempts }
func (English) NotReported() string                      { return "not reported by the target" }
func (English) NoPassages() string                       { return "none" }
func (English) NoAnswer() string                         { return "the target gives none" }
func (English) Empty() string                            { return "(empty)" }
func (English) NoneByLabel() string                      { return "none, by the label" }
func (English) Score(score string) string                { return "score " + score }
func (English) SubQuestion(n int) string                 { return fmt.Sprintf("sub-question %d", n) }
func (English) Excerpt(kept string, more int) string {
	return kept + " … (" + plural(more, "more character", "more characters") + ")"
}
func (English) Attempts(n int, took string) string {
	s := plural(n, "attempt", "attempts")
	if took != "" {
		s += ", " + took
	}
	return s
}
func (English) Try(t Try) string {
	s := t.Kind
	if t.After != "" {
		s += " after " + t.After
	}
	if t.Wait != "" {
		s += ", waited " + t.Wait
	}
	if t.Message != "" {
		s += ": " + t.Message
	}
	return s
}
func (English) WantNames() WantNames {
	return WantNames{Answers: "Reference answer", Documents: "Expected documents", Passages: "Reference passages",
		Keywords: "Expected keywords", Questions: "Key questions", Transcript: "Reference transcript", Answerable: "Answerable", Checks: "Checks"}
}
func (English) Grade(document string, grade int) string {
	return fmt.Sprintf("%s (grade %d)", document, grade)
}
func (English) Answerable(yes bool) string {
	if yes {
		return "yes"
	}
	return "no: the corpus holds no answer"
}
func (English) Relevance(grade int) string {
	switch {
	case grade >= 1:
		return fmt.Sprintf("relevant, grade %d", grade)
	case grade == 0:
		return "not relevant"
	}
	return "pooled, not judged"
}
func (English) Claim(c Claim) string {
	s, where := c.Text, "by "+strings.Join(c.By, ", ")
	if c.Kind != "unsupported" {
		s = c.Kind + ": " + s
	}
	if c.Where != "" {
		where = c.Where + ", " + where
	}
	return s + " (" + where + ")"
}
func (English) Heard(errors, tokens int, characters bool) string {
	one, many := "word", "words"
	if characters {
		one, many = "character", "characters"
	}
	return plural(errors, "error", "errors") + " in " + plural(tokens, one, many)
}
func (e English) FactResult(f assay.Fact) string {
	switch {
	case f.Lost != "" && f.SelfKnowledge:
		return "lost at " + e.Stage(f.Lost) + ", answered without it"
	case f.Lost == assay.LostNotInIndex:
		return e.Stage(f.Lost)
	case f.Lost == assay.LostPresent:
		return "answered, not shown"
	case f.Lost != "":
		return "lost at " + e.Stage(f.Lost)
	}
	return "answered"
}
func (e English) LostVerdict(stage, evidence, rule string) string {
	s := e.Stage(stage)
	if evidence != "" {
		s += ": " + evidence
	}
	if rule != "" {
		s += " (failed by " + rule + ")"
	}
	return s
}
func (English) LostUnknown(reason string) string {
	switch reason {
	case assay.UnknownTexts:
		return "passages have no text, and no label names their ids; report the text of each passage"
	case assay.UnknownNames:
		return "passages do not name their documents; report the id or the document of each passage"
	case assay.UnknownChunk:
		return "the prompt may have had another chunk of the labeled document; add the id of the chunk to expected_contexts"
	}
	return "a passage may have the labeled text in other words; add the id of the chunk to expected_contexts"
}
func (e English) Rung(r Rung) string {
	s := e.AsItIs()
	if r.Stage != "" {
		s = "right " + e.Stage(r.Stage)
	}
	switch runs := max(r.Runs, 1); {
	case runs > 1:
		s += fmt.Sprintf(": %.0f of %d right", r.Right*float64(runs), runs)
	case r.Right >= 0.5:
		s += ": right"
	default:
		s += ": wrong"
	}
	if r.Answer != "" {
		s += " – " + r.Answer
	}
	return s
}
func (English) NonMonotone() string {
	return "a later rung failed after an earlier one had succeeded"
}
func (English) LadderError(err string) string { return "stopped early: " + err }
func (e English) Merged(stage, into string) string {
	return e.Stage(stage) + " cannot be told from " + e.Stage(into) + ", which answers for both"
}
func (English) PartCounts(found, kept int) string {
	s := plural(found, "passage", "passages")
	if kept >= 0 {
		s += fmt.Sprintf(", %d kept", kept)
	}
	return s
}
