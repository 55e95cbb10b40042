package words

func (w Words) CommentTitle(verdict, name string) string {
	return w.Say("CommentTitle", v{"verdict": verdict, "name": name})
}
func (w Words) NotEvaluated(n int) string      { return w.Say("NotEvaluated", v{"n": n}) }
func (w Words) CriticalFact(c Critical) string { return w.Say("CriticalFact", c) }
func (w Words) JudgedBy(judging string) string { return w.Say("JudgedBy", v{"judging": judging}) }

func (w Words) TrackedTitle(metrics int) string { return w.Say("TrackedTitle", v{"metrics": metrics}) }
func (w Words) WarningCount(n int) string       { return w.Say("WarningCount", v{"n": n}) }

// MoreCases says, in Markdown, where more cases are shown. page is the address of
// the report, or "".
func (w Words) MoreCases(page string) string { return w.Say("MoreCases", v{"page": page}) }
func (w Words) CommentOrigin(run, version, dataset string) string {
	return w.Say("CommentOrigin", v{"run": run, "version": version, "dataset": dataset})
}

// Unevaluated says why the test that counts the cases that were not evaluated fails.
func (w Words) Unevaluated(n int, state string) string {
	return w.Say("Unevaluated", v{"n": n, "state": state})
}
func (w Words) CriticalCase(reason string) string { return w.Say("CriticalCase", v{"reason": reason}) }

// NotScored says why a case has no value of a metric. wants is the metric's
// threshold, or "".
func (w Words) NotScored(metric, wants, reason string) string {
	return w.Say("NotScored", v{"metric": metric, "wants": wants, "reason": reason})
}
func (w Words) NoMetricApplies(reason string) string {
	return w.Say("NoMetricApplies", v{"reason": reason})
}

// CommentHeads head the tables of a comment.
type CommentHeads struct{ Rule, Metric, Baseline, Run, Difference, Mean string }

// DetailNames name the details of a case in a JUnit file. Attempt is followed by a
// number.
type DetailNames struct{ Question, Case, Failure, Attempt, Answer, Wanted, Stage string }
