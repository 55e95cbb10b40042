package judged

import (
	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/question"
	"github.com/assay-eval/assay/metric"
)

// SelectiveAccuracy is whether the answer is right where there is one.
var SelectiveAccuracy = define(metric.Def{
	Name:    "selective_accuracy",
	Title:   "Selective accuracy",
	Doc:     "How often the target is right when it does answer. Show it with coverage beside it: who answers only what is certain is right more often.",
	Formula: "over the cases that are answered: 1 when the answer is equivalent to a reference answer, else 0; an answer to a case without one is wrong",
	Edges:   "An answer that declines has the state abstained. An answerable case without a reference answer has no value. " + kindEdge,
	Source:  "selective prediction (El-Yaniv and Wiener, JMLR 2010)",
	Needs:   metric.NeedAnswerable,
	Reads:   metric.ReadAnswer,
	Asks:    judge.Asks{question.Answer, question.Equivalence},
}, func(metric.Params) formula {
	return func(in metric.Input) (assay.Score, error) {
		declined, err := declines(in)
		if err != nil {
			return assay.Score{}, err
		}
		if declined {
			r, _ := question.Answer.Of(in.Assessment).Get()
			return abstained(r.Kind), nil
		}
		return correct(in)
	}
})
