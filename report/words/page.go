package words

import "github.com/assay-eval/assay/report/document"

// Lookup returns the labels of a table that has some of the cases, or of their draws.
func (w Words) Lookup(h Held) (out document.LookupWords) {
	w.Fill("Lookup", v{"n": h.N, "of": h.Of, "draws": h.Draws}, &out)
	return out
}

// CasesHeld says which of the cases a page has, and that it knows no others. A command
// that writes all cases follows it.
func (w Words) CasesHeld(h Held) string {
	var parts []string
	w.add(&parts, h.CriticalOf > 0, "CasesHeld.critical", h)
	w.add(&parts, h.Worst > 0, "CasesHeld.worst", h)
	w.add(&parts, h.Changed > 0, "CasesHeld.changed", h)
	w.add(&parts, h.Missed > 0, "CasesHeld.missed", h)
	w.add(&parts, h.Drawn > 0, "CasesHeld.drawn", h)
	return w.Say("CasesHeld.sentence", v{"h": h, "parts": parts})
}

// Held counts the cases of a page that does not have all, or their draws.
type Held struct {
	N, Of int
	Draws bool
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
