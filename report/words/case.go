package words

import (
	"fmt"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/report/document"
)

func (w Words) FactResult(f assay.Fact) string {
	name := "lost"
	switch {
	case f.Lost == "":
		name = "answered"
	case f.SelfKnowledge:
		name = "known"
	case f.Lost == assay.LostNotInIndex:
		return w.Stage(f.Lost)
	case f.Lost == assay.LostPresent:
		name = "notShown"
	}
	return w.Say("FactResult."+name, v{"stage": w.Stage(f.Lost)})
}

// Rung describes an answer with the right outputs of a stage and of the stages before it; that of
// no stage is the original one. answer is its excerpt.
func (w Words) Rung(r assay.Rung, answer string) string {
	data := v{"stage": "", "runs": max(r.Runs, 1), "right": fmt.Sprintf("%.0f", r.Right*float64(r.Runs)), "is": r.Right >= 0.5, "answer": answer}
	if r.Stage != "" {
		data["stage"] = w.Stage(r.Stage)
	}
	return w.Say("Rung", data)
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

// An Order is how a list of cases is sorted: cases with a wrong answer, if there are
// any, come first; then the composite or, without one, the mean of the case's scores
// decides. Scaled is set if that mean is of positions between the worst and the best value,
// because less is better of a metric or its best value is not 1.
type Order struct{ Wrong, Composite, Scaled bool }

// RulingWord is the ruling on a claim in words: "supported", "contradicted",
// "unsupported" or "unknown".
func (w Words) RulingWord(ruling string) string { return w.Say("RulingWord", v{"ruling": ruling}) }

// ClaimLabel names a claim with its ruling, which is in words, and the ranks of the
// passages that it rests on.
func (w Words) ClaimLabel(n int, ruling string, passages []int) string {
	var by []string
	for _, p := range passages {
		by = append(by, w.Say("PassageRank", v{"n": p}))
	}
	return w.Say("ClaimLabel", v{"n": n, "ruling": ruling, "by": by})
}

// ClaimCounts counts claims by ruling.
func (w Words) ClaimCounts(by map[string]int) string {
	var out []string
	for _, r := range []string{"supported", "unsupported", "contradicted", "unknown"} {
		w.add(&out, by[r] > 0, "ClaimCount", v{"n": by[r], "ruling": w.RulingWord(r)})
	}
	return w.Say("ClaimCounts", v{"counts": out})
}

// ClaimNames are the words of the list of claims.
type ClaimNames struct {
	Title string
	// NotSaid says that the answer does not have the claim in these words, NoWords that no
	// words of a passage are known, Estimated that a formula ruled.
	NotSaid, NoWords, Estimated string
}

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
