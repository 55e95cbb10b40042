package judged

import (
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/question"
	"github.com/assay-eval/assay/metric"
)

// FactualAccuracy is the share of claims that are right among those the ground
// truth speaks of.
var FactualAccuracy = define(metric.Def{
	Name:    "factual_accuracy",
	Title:   "Factual accuracy",
	Doc:     "How much of what the answer claims is right, of what the ground truth speaks of at all, with what it contradicts listed. Claims beyond the ground truth do not count: see addition_rate.",
	Formula: "s / (s + c), with s claims of the answer that the ideal answer or the passages it was written from support, and c those that they contradict",
	Edges:   claimsEdge + "Where the ground truth speaks of no claim there is no value. " + idealEdge + unknownEdge,
	Source:  idealOwn,
	Needs:   metric.NeedIdeal,
	Reads:   metric.ReadAnswer,
	Asks:    judge.Asks{question.Answer, question.Truth},
}, func(metric.Params) formula { return accurate })

var accurate = ofTruth("the ground truth speaks of none of the answer's claims", func(t truth) (part, whole float64) {
	return t.supported, t.supported + t.contradicted
})
