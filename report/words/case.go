package words

import "github.com/assay-eval/assay"

// cases are the words of single cases.
type cases interface {
	CasesTitle() string
	FailedCases(shown, of int) string
	MoreFailed(n int) string
	// LowestCases heads the cases without full marks; wrong, that some of them have
	// full marks and a wrong answer.
	LowestCases(shown, of int, wrong bool) string
	CriticalTitle(passed string) string
	Passed() string
	CaseNames() CaseNames
	FailedAfter(kind, attempts string) string
	NotReported() string
	NoPassages() string
	NoAnswer() string
	Empty() string
	NoneByLabel() string
	Score(score string) string
	SubQuestion(n int) string
	// Excerpt is the beginning of a text of which more characters are left out.
	Excerpt(kept string, more int) string
	// Attempts counts attempts; took is how long the only one took, or "".
	Attempts(n int, took string) string
	Try(t Try) string
	WantNames() WantNames
	Grade(document string, grade int) string
	Answerable(yes bool) string
	// Relevance is what the labels say of a passage; a grade below 0 means that it
	// was pooled and not judged.
	Relevance(grade int) string
	Claim(c Claim) string
	// Heard says how many errors a transcript has in so many words or characters.
	Heard(errors, tokens int, characters bool) string
	FactResult(f assay.Fact) string
	// LostVerdict says where a case was lost, on which evidence, and which rule it
	// failed.
	LostVerdict(stage, evidence, rule string) string
	Rung(r Rung) string
	NonMonotone() string
	LadderError(err string) string
	// Merged says that the losses of a stage count with another.
	Merged(stage, into string) string
	// PartCounts counts the passages of a sub-question; kept is below 0 without a
	// filter.
	PartCounts(found, kept int) string
}

// CaseNames name the parts of a case.
type CaseNames struct {
	Question, Failure, Below, Tries, Passages, Answer, Lost, Facts, Ladder, Note, Transcript, Parts, Dropped string
	Scores, Reasoning, Estimates, Claims, Remarks, Trace, Stage, Model, Time, TraceNote                      string
}

// WantNames name the labels of a case.
type WantNames struct {
	Answers, Documents, Passages, Keywords, Questions, Transcript, Answerable string
}

// A Try is an attempt that failed after some time, and after a wait; "" for those
// that are not known.
type Try struct{ Kind, After, Wait, Message string }

// A Claim is one of an answer that is not supported, or else of another Kind. By
// names the metrics that found it.
type Claim struct {
	Text, Kind, Where string
	By                []string
}

// A Rung is an answer with the right output of Stage and of those before it, ""
// for the answer as it is. Right is the share of Runs that were right.
type Rung struct {
	Stage  string
	Right  float64
	Runs   int
	Answer string
}
