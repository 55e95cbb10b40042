package words

import "fmt"

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
func (e English) LowestCases(shown, of int, what string) string {
	return "Lowest cases (" + e.Of(shown, of) + " " + what + ")"
}
func (English) CriticalTitle(passed string) string { return "Critical cases: " + passed }
func (English) Passed() string                     { return "passed" }
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
