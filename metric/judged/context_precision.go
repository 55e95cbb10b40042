package judged

import (
	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/question"
	"github.com/assay-eval/assay/metric"
)

const (
	precisionFormula = "with u_i = 1 when passage i alone supports a claim: sum over i of u_i * (u_1 + … + u_i) / i, divided by the sum of u_i; stat=share: the mean of u_i"
	precisionEdge    = "The denominator is what was found: passages that should have been retrieved and were not do not show, so have claim_recall beside it. No useful passage gives 0. " +
		"A passage that supports a claim only together with others is not useful by itself. " + depthEdge
)

var statShare = metric.Param{
	Name: "stat", Doc: "ap is sensitive to the order of the passages, share is not", Default: "ap", Values: []string{"ap", "share"},
}

// ContextPrecision tells whether the useful passages come first.
var ContextPrecision = define(metric.Def{
	Name:    "context_precision",
	Title:   "Context precision",
	Doc:     "Whether the passages that the reference answer can be told from come first. A passage is useful when it alone supports a claim of the reference.",
	Formula: precisionFormula,
	Edges:   precisionEdge + "An empty list scores 0, and has no value when the case cannot be answered. " + firstEdge + unknownEdge,
	Source:  "Ragas context_precision with a reference, without its ruling apart; stat=share: " + ragChecker,
	Needs:   metric.NeedAnswers,
	Reads:   metric.ReadPassages,
	Asks:    judge.Asks{question.Reference, question.ReferencePassages},
	Cutoff:  metric.OptionalCutoff,
	Params:  []metric.Param{statShare},
}, func(p metric.Params) formula {
	return func(in metric.Input) (assay.Score, error) {
		s, err := referenceGrounds(in)
		if err != nil || s.instead != nil {
			return s.score(), err
		}
		return precisionOf(in, p, s), nil
	}
})

// precisionOf scores the order of the passages by their use for some claims.
func precisionOf(in metric.Input, p metric.Params, s said) assay.Score {
	n := shown(in)
	if n == 0 {
		return unretrieved(in)
	}
	u, k := usefulness(s.findings, n), cutAt(p.K, n)
	out := u.precision(k, p.Word(statShare.Name) == "share")
	out.Evidence = u.idle(in, k)
	return out
}
