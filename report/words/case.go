package words

import (
	"fmt"

	"github.com/assay-eval/assay"
)

func (w Words) Score(score string) string { return w.Say("Score", v{"score": score}) }

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
