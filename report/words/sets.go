package words

// sets are the words of the pages about datasets.
type sets interface {
	SetNames() SetNames
	// DatasetFrom says where a dataset is: "upload", "folder", or "" for one that only runs
	// know.
	DatasetFrom(from string) string
	// SetsFound counts datasets: "3 datasets".
	SetsFound(n int) string
	// ContentOf describes a content of a dataset by its cases and the runs over it.
	ContentOf(cases, runs int) string
	// SeveralContents says that a dataset had several contents in its runs.
	SeveralContents(n int) string
	// DoubtsRest says on which runs doubts rest: read of all finished ones, which asked a
	// number of systems.
	DoubtsRest(read, all, systems int) string
	// DoubtsBy adds to a rule of the outcome what does not count.
	DoubtsBy(rule string) string
	// AlwaysWrong says how many of the cases that enough runs decide on all of them get wrong.
	AlwaysWrong(n, of int) string
	// DoubtsNeed says from how many runs and systems cases count as wrong everywhere, where
	// no case has as many.
	DoubtsNeed(runs, systems int) string
	// ComesOutDifferently says how many of the repeated cases are flaky.
	ComesOutDifferently(n, of int) string
	// JudgeDoubts says on how many cases a judge often failed to rule; least is how often.
	JudgeDoubts(n, of, least int) string
	// InRuns, TimesRight and NotRuled are about one case.
	InRuns(runs, systems int) string
	TimesRight(right, wrong int) string
	NotRuled(n, of int) string
	// AllOf is the text of a link to a whole list.
	AllOf(n int) string
	// FindingsOf counts what checks found.
	FindingsOf(wrong, doubtful int) string
	// CheckTitle says what a check of a dataset finds, CheckFix what to do about it; "" of an
	// unknown check.
	CheckTitle(check string) string
	CheckFix(check string) string
}

// SetNames are the labels of the pages about datasets.
type SetNames struct {
	// The list.
	Datasets, Where, UsedRuns, LastRun, NoDatasets, NoDatasetsHow, Content string
	// A dataset.
	Contents, Labels, Critical, Tags, Unused, Doubts, Unsolved, Flaky, Unruled, Outcome, Question string
	HardOrWrong, FlakyWhy, UnruledWhy, NeverRepeated, NoUnsolved, NoFlaky, NoUnruled, BackToAll   string
	Findings, FindingsHow, NoFindings, OtherContent, Wrong, Doubtful, NotReadable, FileElsewhere  string
}
