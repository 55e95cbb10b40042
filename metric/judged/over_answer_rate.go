package judged

import (
	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/metric"
)

// OverAnswerRate is how often the target answers what has no answer.
var OverAnswerRate = declining(metric.Def{
	Name:    "over_answer_rate",
	Title:   "Over-answer rate",
	Doc:     "How often the target answers a question that the corpus holds no answer to.",
	Formula: "over the cases that are not answerable: 1 when the answer answers, else 0",
	Edges:   "An answerable case has no value. It equals 1 - abstention_recall.",
	Source:  "own definition",
	Better:  metric.Lower,
}, func(declined, answerable bool) assay.Score {
	switch {
	case answerable:
		return assay.None(hasAnswer)
	case !declined:
		return because(1, wronglyAnswered)
	}
	return assay.Value(0)
})
