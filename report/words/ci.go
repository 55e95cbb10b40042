package words

// ci are the words of comments on pull requests, of annotations and of JUnit
// files.
type ci interface {
	CommentTitle(verdict, name string) string
	NotEvaluated(n int) string
	CriticalFact(c Critical) string
	JudgedBy(judging string) string
	BaselineNotCompared() string
	CommentHeads() CommentHeads
	// NothingGated says that a run has no gate.
	NothingGated() string
	TrackedTitle(metrics int) string
	WrongCases() string
	Critical() string
	LostMostIn() string
	WarningCount(n int) string
	// MoreCases says, in Markdown, where more cases are shown. page is the address of
	// the report, or "".
	MoreCases(page string) string
	CommentOrigin(run, version, dataset string) string
	// CutHere ends a text that was cut because of its length.
	CutHere() string
	// UnevaluatedTest is the name of the test that counts the cases of a run that were
	// not evaluated. Unevaluated says why it fails.
	UnevaluatedTest() string
	Unevaluated(n int, state string) string
	CriticalCase(reason string) string
	// NotScored says why a case has no value of a metric. wants is the metric's
	// threshold, or "".
	NotScored(metric, wants, reason string) string
	NoMetricApplies(reason string) string
	DetailNames() DetailNames
}

// CommentHeads head the tables of a comment.
type CommentHeads struct{ Rule, Metric, Baseline, Run, Difference, Mean string }

// DetailNames name the details of a case in a JUnit file. Attempt is followed by a
// number.
type DetailNames struct{ Question, Case, Failure, Attempt, Answer, Wanted, Stage string }
