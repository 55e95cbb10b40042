package stage

import (
	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/metric"
)

// EvidenceSurvival is the share of facts that reach the answer.
var EvidenceSurvival = followed(metric.Def{
	Name:    "evidence_survival",
	Title:   "Evidence survival",
	Doc:     "How much of what the answer rests on comes through every stage and reaches the answer. What is missing to 1 is the sum of lost_at over all stages.",
	Formula: "facts that every stage carries, the answer among them / facts",
	Edges:   pooledFacts + "A fact that the answer has and the prompt had not is lost: see evidence_self_knowledge. Not applicable when no evidence of a case could be followed.",
	Reads:   metric.ReadAnswer | metric.ReadPassages,
	Pooled:  true,
}, func(a *assay.Attribution) assay.Score {
	return counted(a.Facts, func(f assay.Fact) bool { return f.Lost == "" })
})
