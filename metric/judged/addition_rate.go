package judged

import (
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/question"
	"github.com/assay-eval/assay/metric"
)

// AdditionRate is the share of claims that the ground truth does not speak of.
var AdditionRate = define(metric.Def{
	Name:    "addition_rate",
	Title:   "Addition rate",
	Doc:     "How much of what the answer claims the ground truth does not speak of: it may be right or made up, and was not asked for.",
	Formula: "e / n, with e claims of the answer that the ideal answer and the passages it was written from neither support nor contradict, and n claims with a ruling",
	Edges:   claimsEdge + idealEdge + unknownEdge,
	Source:  idealOwn,
	Better:  metric.Lower,
	Needs:   metric.NeedIdeal,
	Reads:   metric.ReadAnswer,
	Asks:    judge.Asks{question.Answer, question.Truth},
}, func(metric.Params) formula {
	return ofTruth(noClaims, func(t truth) (part, whole float64) { return t.extra, t.known() })
})
