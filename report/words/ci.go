package words

func (w Words) NotEvaluated(n int) string      { return w.Say("NotEvaluated", v{"n": n}) }
func (w Words) CriticalFact(c Critical) string { return w.Say("CriticalFact", c) }

// NotScored says why a case has no value of a metric. wants is the metric's
// threshold, or "".
func (w Words) NotScored(metric, wants, reason string) string {
	return w.Say("NotScored", v{"metric": metric, "wants": wants, "reason": reason})
}

// CommentHeads head the tables of a comment.
type CommentHeads struct{ Rule, Metric, Baseline, Run, Difference, Mean string }

// DetailNames name the details of a case in a JUnit file. Attempt is followed by a
// number.
type DetailNames struct{ Question, Case, Failure, Attempt, Answer, Wanted, Stage string }
