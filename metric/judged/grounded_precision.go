package judged

import (
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/question"
	"github.com/assay-eval/assay/metric"
)

// GroundedPrecision is the share of claims that the ground truth supports.
var GroundedPrecision = define(metric.Def{
	Name:    "grounded_precision",
	Title:   "Grounded precision",
	Doc:     "How much of what the answer claims the ground truth bears out. Claims beyond it count against the answer, which factual_accuracy does not do.",
	Formula: "s / n, with s claims of the answer that the ideal answer or the passages it was written from support, and n claims with a ruling",
	Edges:   claimsEdge + idealEdge + unknownEdge,
	Source:  idealOwn,
	Needs:   metric.NeedIdeal,
	Reads:   metric.ReadAnswer,
	Asks:    judge.Asks{question.Answer, question.Truth},
}, func(metric.Params) formula {
	return ofTruth(noClaims, func(t truth) (part, whole float64) { return t.supported, t.known() })
})
