package judged

import (
	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/metric"
)

// FalseRefusalRate is how often the target declines without need.
var FalseRefusalRate = declining(metric.Def{
	Name:    "false_refusal_rate",
	Title:   "False refusal rate",
	Doc:     "How often the target declines a question that the corpus answers.",
	Formula: "over the answerable cases: 1 when the answer declines, else 0",
	Edges:   "A case that is not answerable has no value.",
	Source:  "own definition",
	Better:  metric.Lower,
}, func(declined, answerable bool) assay.Score {
	switch {
	case !answerable:
		return assay.None(noAnswer)
	case declined:
		return because(1, wronglyDeclined)
	}
	return assay.Value(0)
})
