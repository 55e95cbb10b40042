package judged

import (
	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/metric"
)

// OverAnswerRate is how often the target answers what has no answer.
var OverAnswerRate = define(metric.Def{
	Name:    "over_answer_rate",
	Title:   "Over-answer rate",
	Doc:     "How often the target answers a question that the corpus holds no answer to.",
	Formula: "over the cases that are not answerable: 1 when the answer answers, else 0",
	Edges:   kindEdge + "An answerable case has no value. It equals 1 - abstention_recall.",
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
		case answerable(in):
			return assay.None(hasAnswer), nil
		case !declined:
			return because(1, "the answer answers, and there is no answer"), nil
		}
		return assay.Value(0), nil
	}
})
