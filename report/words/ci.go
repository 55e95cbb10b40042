package words

// CommentHeads head the tables of a comment.
type CommentHeads struct{ Rule, Metric, Baseline, Run, Difference, Mean string }

// DetailNames name the details of a case in a JUnit file. Attempt is followed by a
// number.
type DetailNames struct{ Question, Case, Failure, Attempt, Answer, Wanted, Stage string }
