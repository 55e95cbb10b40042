package words

import (
	"fmt"

	"github.com/assay-eval/assay"
)

func (w Words) FailedCases(shown, of int) string {
	return w.Say("FailedCases", v{"shown": shown, "of": of})
}

// LowestCases is the heading of the cases with a wrong answer or without full marks.
func (w Words) LowestCases(shown, of int, by Order) string {
	return w.Say("LowestCases", v{"shown": shown, "of": of, "by": by})
}
func (w Words) Score(score string) string { return w.Say("Score", v{"score": score}) }

func (w Words) Answerable(yes bool) string { return w.Say("Answerable", v{"yes": yes}) }

// Relevance describes the relevance of a passage by the labels. A grade below 0
// means that the passage was pooled and not judged.
func (w Words) Relevance(grade int) string { return w.Say("Relevance", v{"grade": grade}) }

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

// LostVerdict returns where a case was lost, which evidence was lost, and by which
// rule this was decided.
func (w Words) LostVerdict(stage, evidence, rule string) string {
	return w.Say("LostVerdict", v{"stage": w.Stage(stage), "evidence": evidence, "rule": rule})
}

// LostUnknown says why it is not known where evidence was lost, and which setting
// would show it; see [assay.Attribution].Unknown.
func (w Words) LostUnknown(reason string) string { return w.Say("LostUnknown", v{"reason": reason}) }
func (w Words) Rung(r Rung) string {
	data := v{"stage": "", "runs": max(r.Runs, 1), "right": fmt.Sprintf("%.0f", r.Right*float64(r.Runs)), "is": r.Right >= 0.5, "answer": r.Answer}
	if r.Stage != "" {
		data["stage"] = w.Stage(r.Stage)
	}
	return w.Say("Rung", data)
}

// Merged says that the losses of a stage count with another stage.
func (w Words) Merged(stage, into string) string {
	return w.Say("Merged", v{"stage": w.Stage(stage), "into": w.Stage(into)})
}

// PartCounts returns the numbers of passages of a sub-question. kept is negative
// if there is no filter.
func (w Words) PartCounts(found, kept int) string {
	return w.Say("PartCounts", v{"found": found, "kept": kept})
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
