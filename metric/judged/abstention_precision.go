package judged

import (
	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/metric"
)

// AbstentionPrecision is how often the target declines rightly.
var AbstentionPrecision = define(metric.Def{
	Name:    "abstention_precision",
	Title:   "Abstention precision",
	Doc:     "Of the questions that the target declines, how many rightly.",
	Formula: "over the cases that are declined: 1 when the case is not answerable, else 0",
	Edges:   kindEdge + "An answer that answers has no value.",
	Source:  "own definition: precision with declining as the class sought",
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
		if !declined {
			return assay.None("the answer answers"), nil
		}
		return counted(!answerable(in)), nil
	}
})
