package judged

import (
	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/metric"
)

// AbstentionRecall is how often the target declines what it should.
var AbstentionRecall = define(metric.Def{
	Name:    "abstention_recall",
	Title:   "Abstention recall",
	Doc:     "Of the questions that should be declined, how many the target declines.",
	Formula: "over the cases that are not answerable: 1 when the answer declines, else 0",
	Edges:   kindEdge + "An answerable case has no value. It equals 1 - over_answer_rate.",
	Source:  "own definition: recall with declining as the class sought",
	Pooled:  true,
	Needs:   metric.NeedAnswerable,
	Reads:   metric.ReadAnswer,
	Asks:    judge.AskAnswer,
}, func(metric.Params) formula {
	return func(in metric.Input) (assay.Score, error) {
		declined, err := declines(in)
		if err != nil {
			return assay.Score{}, err
		}
		if answerable(in) {
			return assay.None(hasAnswer), nil
		}
		return counted(declined), nil
	}
})
