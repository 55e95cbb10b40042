package words

import "github.com/assay-eval/assay/report/document"

// pages are the words of the table of cases on a page.
type pages interface {
	// Lookup returns the labels of a table that has n of the cases.
	Lookup(n, of int) document.LookupWords
	// CasesHeld says which of the cases a page has, and that it knows no others. A command
	// that writes all cases follows it.
	CasesHeld(h Held) string
	PageNames() PageNames
	// Agree says on which scores all cases of all runs agree.
	Agree(cases, runs int, scores []string) string
	// FirstDraw says that the first of several draws is shown.
	FirstDraw(draws int) string
}

// Held counts the cases of a page that does not have all.
type Held struct {
	N, Of int
	// Critical is how many of the CriticalOf critical cases that failed are among them.
	Critical, CriticalOf int
	// Worst and Drawn count the lowest of the others and the random sample of the rest.
	Worst, Drawn int
	// Changed and Missed count the cases of a comparison that changed most, and others that
	// every run misses.
	Changed, Missed int
	// Seed is the seed of the sample.
	Seed uint64
}

// PageNames name the choices and the columns of the table of cases, and the parts of a
// case that only a page shows.
type PageNames struct {
	WhyFailed                                                                                         string
	Any, Case, Question, Status, Critical, Slow, Metric, Below, Order, LowestFirst, AsInDataset, Time string
	Run, Outcome, Better, Worse, Same, Changed, Missed, Unpaired, Drawn                               string
	Score, Reason, Tags, Notes, Prompt, Input, Output, Unnamed                                        string
	Answers, Baseline, NotRun, CaseNotRun, NoResponse, NotRecorded, Unsolved                          string
}
