package words

import "fmt"

func (English) CommentTitle(verdict, name string) string {
	return verdict + " · evaluation of " + name
}
func (English) NotEvaluated(n int) string { return fmt.Sprintf("%d not evaluated", n) }
func (e English) CriticalFact(c Critical) string {
	return "critical: " + e.CriticalCount(c)
}
func (English) JudgedBy(judging string) string { return "judged by " + judging }
func (English) BaselineNotCompared() string    { return "The baseline was not compared:" }
func (English) CommentHeads() CommentHeads {
	return CommentHeads{Rule: "Rule", Metric: "Metric", Baseline: "Baseline", Run: "This run", Difference: "Difference", Mean: "Mean"}
}
func (English) NothingGated() string {
	return "This run has no gate: no threshold, no rule, no baseline."
}
func (English) TrackedTitle(metrics int) string {
	return plural(metrics, "metric", "metrics") + ", tracked without a verdict"
}
func (English) WrongCases() string        { return "Cases that are not right" }
func (English) Critical() string          { return "critical" }
func (English) LostMostIn() string        { return "Lost most in" }
func (English) WarningCount(n int) string { return plural(n, "warning", "warnings") }
func (English) MoreCases(page string) string {
	if page == "" {
		return "More cases are in the step summary and in the report that the workflow keeps."
	}
	return "[The step summary and the report](" + page + ") show more cases."
}
func (English) CommentOrigin(run, version, dataset string) string {
	return "Run " + run + ", assay " + version + ", dataset " + dataset + "."
}
func (English) CutHere() string         { return "Cut here: the report holds the rest." }
func (English) UnevaluatedTest() string { return "cases that were not evaluated" }
func (English) Unevaluated(n int, state string) string {
	return plural(n, "case was", "cases were") + " not evaluated: the run is " + state
}
func (English) CriticalCase(reason string) string { return "critical case: " + reason }
func (English) NotScored(metric, wants, reason string) string {
	if wants != "" {
		wants = ", wants " + wants
	}
	return metric + " could not be scored" + wants + ": " + reason
}
func (English) NoMetricApplies(reason string) string { return "no metric applies: " + reason }
func (English) DetailNames() DetailNames {
	return DetailNames{Question: "question", Case: "case", Failure: "failure", Attempt: "attempt", Answer: "answer", Wanted: "wanted",
		Stage: "stage"}
}
