package words

import "github.com/assay-eval/assay/report/document"

// pages are the words of the table of cases on a page.
type pages interface {
	// Lookup returns the labels of the table of so many cases.
	Lookup(cases int) document.LookupWords
	// CasesHeld says that a page has only some of the cases: the lowest, or those that
	// changed most.
	CasesHeld(n, of int, changed bool) string
	PageNames() PageNames
	// Agree says on which scores all cases of all runs agree.
	Agree(cases, runs int, scores []string) string
	// FirstDraw says that the first of several draws is shown.
	FirstDraw(draws int) string
}

// PageNames name the choices and the columns of the table of cases, and the parts of a
// case that only a page shows.
type PageNames struct {
	WhyFailed, Wrong                                                                                  string
	Any, Case, Question, Status, Critical, Slow, Metric, Below, Order, LowestFirst, AsInDataset, Time string
	Run, Outcome, Better, Worse, Same, Changed, Missed, Unpaired                                      string
	Score, Reason, Tags, Notes, Prompt, Input, Output, Unnamed                                        string
	Answers, Baseline, NotRun, CaseNotRun, NoResponse, NotRecorded, Unsolved                          string
}
