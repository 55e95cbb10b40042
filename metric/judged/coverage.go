package judged

import (
	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/question"
	"github.com/assay-eval/assay/metric"
)

// Coverage is whether the target answers.
var Coverage = define(metric.Def{
	Name:    "coverage",
	Title:   "Coverage",
	Doc:     "How many of the questions the target answers at all. It belongs beside faithfulness and selective_accuracy, which see only these.",
	Formula: "1 when the answer answers, 0 when it declines",
	Edges:   kindEdge + "The best coverage is not 1 when some cases have no answer: see refusal.",
	Source:  "selective prediction (El-Yaniv and Wiener, JMLR 2010)",
	Reads:   metric.ReadAnswer,
	Asks:    judge.Asks{question.Answer},
}, func(metric.Params) formula {
	return func(in metric.Input) (assay.Score, error) {
		declined, err := declines(in)
		if err != nil {
			return assay.Score{}, err
		}
		if declined {
			return assay.Value(0), nil
		}
		return assay.Value(1), nil
	}
})
