package words

import "github.com/assay-eval/assay"

// cases are the words of single cases.
type cases interface {
	CasesTitle() string
	FailedCases(shown, of int) string
	MoreFailed(n int) string
	// LowestCases is the heading of the cases with a wrong answer or without full marks.
	LowestCases(shown, of int, by Order) string
	CaseNames() CaseNames
	FailedAfter(kind, attempts string) string
	NotReported() string
	NoPassages() string
	NoAnswer() string
	Empty() string
	NoneByLabel() string
	Score(score string) string
	SubQuestion(n int) string
	// Excerpt marks a text as shortened by more characters.
	Excerpt(kept string, more int) string
	// Attempts counts attempts. took is how long the only one took, or "".
	Attempts(n int, took string) string
	Try(t Try) string
	WantNames() WantNames
	Grade(document string, grade int) string
	Answerable(yes bool) string
	// Relevance describes the relevance of a passage by the labels. A grade below 0
	// means that the passage was pooled and not judged.
	Relevance(grade int) string
	Claim(c Claim) string
	// Heard returns the number of errors in a transcript of so many words or
	// characters.
	Heard(errors, tokens int, characters bool) string
	FactResult(f assay.Fact) string
	// LostVerdict returns where a case was lost, which evidence was lost, and by which
	// rule this was decided.
	LostVerdict(stage, evidence, rule string) string
	// LostUnknown says why it is not known where evidence was lost, and which setting
	// would show it; see [assay.Attribution].Unknown.
	LostUnknown(reason string) string
	Rung(r Rung) string
	NonMonotone() string
	LadderError(err string) string
	// Merged says that the losses of a stage count with another stage.
	Merged(stage, into string) string
	// PartCounts returns the numbers of passages of a sub-question. kept is negative
	// if there is no filter.
	PartCounts(found, kept int) string
}

// CaseNames name the parts of a case.
type CaseNames struct {
	Question, Failure, Below, Tries, Passages, Answer, Lost, Facts, Ladder, Note, Transcript, Parts, Dropped string
	Scores, Reasoning, Estimates, Claims, Remarks, Trace, Stage, Model, Time, TraceNote                      string
}

// WantNames name the labels of a case.
type WantNames struct {
	Answers, Documents, Passages, Keywords, Questions, Transcript, Answerable, Checks string
}

// A Try is a failed attempt: After is how long it took, Wait the wait before it; each
// is "" if it is not known.
type Try struct{ Kind, After, Wait, Message string }

// A Claim is a claim of an answer that is not supported, or of the given Kind. By
// names the metrics that found it.
type Claim struct {
	Text, Kind, Where string
	By                []string
}

// A Rung is an answer with the right outputs of Stage and of the stages before it;
// Stage is "" for the original answer. Right is the share of Runs that were right.
type Rung struct {
	Stage  string
	Right  float64
	Runs   int
	Answer string
}

// An Order is how a list of cases is sorted: cases with a wrong answer, if there are
// any, come first; then the composite or, without one, the mean of the case's scores
// decides.
type Order struct{ Wrong, Composite bool }
