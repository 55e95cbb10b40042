package judged

import (
	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/metric"
)

// AbstentionPrecision is how often the target declines rightly.
var AbstentionPrecision = declining(metric.Def{
	Name:    "abstention_precision",
	Title:   "Abstention precision",
	Doc:     "Of the questions that the target declines, how many rightly.",
	Formula: "over the cases that are declined: 1 when the case is not answerable, else 0",
	Edges:   "An answer that answers has no value.",
	Source:  "own definition: precision with declining as the class sought",
	Pooled:  true,
}, func(declined, answerable bool) assay.Score {
	if !declined {
		return assay.None("the answer answers")
	}
	return counted(!answerable)
})
