package judged

import (
	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/metric"
)

// FalseRefusalRate is how often the target declines without need.
var FalseRefusalRate = define(metric.Def{
	Name:    "false_refusal_rate",
	Title:   "False refusal rate",
	Doc:     "How often the target declines a question that the corpus answers.",
	Formula: "over the answerable cases: 1 when the answer declines, else 0",
	Edges:   kindEdge + "A case that is not answerable has no value.",
	Source:  "own definition",
	Better:  metric.Lower,
	Needs:   metric.NeedAnswerable,
	Reads:   metric.ReadAnswer,
	Asks:    judge.AskAnswer,
}, func(metric.Params) formula {
	return func(in metric.Input) (assay.Score, error) {
		declined, err := declines(in)
		if err != nil {
			return assay.Score{}, err
		}
		switch {
		case !answerable(in):
			return assay.None(noAnswer), nil
		case declined:
			return because(1, "the answer declines, and there is an answer"), nil
		}
		return assay.Value(0), nil
	}
})
