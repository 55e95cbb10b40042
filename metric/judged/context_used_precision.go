package judged

import (
	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/question"
	"github.com/assay-eval/assay/metric"
)

// ContextUsedPrecision tells whether the passages that were used come first.
var ContextUsedPrecision = define(metric.Def{
	Name:    "context_used_precision",
	Title:   "Context precision by the answer",
	Doc:     "Whether the passages that the answer draws on come first. A diagnostic that needs no reference: passages which support a wrong answer count as useful.",
	Formula: precisionFormula,
	Edges:   precisionEdge + claimsEdge + "An empty list scores 0, and has no value when the case cannot be answered. " + unknownEdge,
	Source:  "Ragas context_precision without a reference, which it also calls context utilization",
	Reads:   readsBoth,
	Asks:    judge.Asks{question.Answer, question.AnswerPassages},
	Cutoff:  metric.OptionalCutoff,
	Params:  []metric.Param{statShare},
}, func(p metric.Params) formula {
	return func(in metric.Input) (assay.Score, error) {
		s, err := answerGrounds(in)
		if err != nil || s.instead != nil {
			return s.score(), err
		}
		return precisionOf(in, p, s), nil
	}
})
