package judged

import (
	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/metric"
)

// AbstentionRecall is how often the target declines what it should.
var AbstentionRecall = declining(metric.Def{
	Name:    "abstention_recall",
	Title:   "Abstention recall",
	Doc:     "Of the questions that should be declined, how many the target declines.",
	Formula: "over the cases that are not answerable: 1 when the answer declines, else 0",
	Edges:   "An answerable case has no value. It equals 1 - over_answer_rate.",
	Source:  "own definition: recall with declining as the class sought",
	Pooled:  true,
}, func(declined, answerable bool) assay.Score {
	if answerable {
		return assay.None(hasAnswer)
	}
	return counted(declined)
})
