package judged

import (
	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/metric"
)

// AbstentionF1 is the F1 of declining.
var AbstentionF1 = define(metric.Def{
	Name:    "abstention_f1",
	Title:   "Abstention F1",
	Doc:     "How well the target tells what it should decline: one number for declining too often and too seldom.",
	Formula: "over all cases together: 2tp / (2tp + fp + fn), with tp rightly declined, fp declined and answerable, fn answered and not answerable",
	Edges:   kindEdge + "An answerable case that is answered has no value and does not count. The mean is of pooled counts.",
	Source:  "own definition: F1 with declining as the class sought",
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
		if answerable(in) && !declined {
			return assay.None("the case is answerable and was answered"), nil
		}
		if declined && !answerable(in) {
			return assay.Ratio(2, 2), nil
		}
		return assay.Ratio(0, 1), nil
	}
})
