package judged

import (
	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/question"
	"github.com/assay-eval/assay/metric"
)

// IdealF1 is the harmonic mean of factual accuracy and completeness.
var IdealF1 = define(metric.Def{
	Name:    "ideal_f1",
	Title:   "Ideal answer F1",
	Doc:     "How near the answer comes to the ideal one, in one number: right in what it says, and complete. The headline for answers where ideal answers are at hand.",
	Formula: "2AC / (A + C), 0 when both are 0, with A factual_accuracy and C completeness",
	Edges: "An answer that declines scores 0, and has the state abstained when the case has no answer. Where A or C has no value there is none. " + pointsEdge + idealEdge +
		"The rule for missing rulings holds for claims and for points: " + unknownEdge,
	Source: idealOwn,
	Needs:  metric.NeedIdeal,
	Reads:  metric.ReadAnswer,
	Asks:   judge.Asks{question.Answer, question.Points, question.Truth},
}, func(metric.Params) formula {
	return func(in metric.Input) (assay.Score, error) {
		if s, declined, err := ifDeclined(in); err != nil || declined {
			return s, err
		}
		accuracy, err := accurate(in)
		if err != nil {
			return assay.Score{}, err
		}
		completeness, err := complete(in)
		if err != nil {
			return assay.Score{}, err
		}
		s := harmonic(accuracy, completeness)
		s.Evidence = append(accuracy.Evidence, completeness.Evidence...)
		return s, nil
	}
})
