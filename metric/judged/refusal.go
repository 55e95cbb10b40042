package judged

import (
	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/metric"
)

// Refusal is whether the target rightly declined or answered.
var Refusal = define(metric.Def{
	Name:    "refusal",
	Title:   "Refusal",
	Doc:     "Whether the target rightly declines or rightly answers: it should decline exactly what the corpus holds no answer to. Whether an answer is right is for other metrics.",
	Formula: "1 when the answer declines and the case is not answerable, or it answers and the case is; else 0",
	Edges:   kindEdge + "The mean is the share of cases that were rightly declined or answered.",
	Source:  "own definition",
	Needs:   metric.NeedAnswerable,
	Reads:   metric.ReadAnswer,
	Asks:    judge.AskAnswer,
}, func(metric.Params) formula {
	return func(in metric.Input) (assay.Score, error) {
		declined, err := declines(in)
		if err != nil {
			return assay.Score{}, err
		}
		if declined == answerable(in) {
			return because(0, map[bool]string{true: "the answer declines, and there is an answer", false: "the answer answers, and there is no answer"}[declined]), nil
		}
		return assay.Value(1), nil
	}
})
