package judged

import (
	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/metric"
)

const precisionEdge = "The denominator is what was found: relevant passages that were not retrieved do not show, " +
	"so read it together with claim_recall. No useful passage gives 0. " +
	"A passage that supports a claim only together with others is not useful by itself. " + depthEdge +
	"An empty list scores 0, and has no value if the case cannot be answered. "

// ContextPrecision is whether the passages that support the reference come first.
var ContextPrecision = passageOrder(referenceInEach, metric.Def{
	Name:  "context_precision",
	Title: "Context precision",
	Doc: "Whether the passages that support the reference answer come first. " +
		"A passage is useful if it alone supports a claim of the reference.",
	Edges:  precisionEdge + firstEdge + unknownEdge,
	Source: "Ragas context_precision with a reference, computed from the rulings on claims; stat=share: " + ragChecker,
})

// ContextUsedPrecision is whether the passages that support the answer come first.
var ContextUsedPrecision = passageOrder(answerInEach, metric.Def{
	Name:  "context_used_precision",
	Title: "Context precision by the answer",
	Doc: "Whether the passages that support the answer come first. " +
		"A diagnostic without a reference: passages that support a wrong answer count as useful.",
	Edges:  precisionEdge + claimsEdge + unknownEdge,
	Source: "Ragas context_precision without a reference, which it also calls context utilization",
})

// passageOrder defines a metric of the order of the passages by their usefulness.
func passageOrder(c check, d metric.Def) *metric.Def {
	d.Formula = "with u_i = 1 if passage i alone supports a claim: " +
		"sum over i of u_i * (u_1 + … + u_i) / i, divided by the sum of u_i; stat=share: the mean of u_i"
	d.Cutoff, d.LabelQuestion = metric.OptionalCutoff, assay.LabelOrdered
	d.Params = []metric.Param{{
		Name: "stat", Doc: "ap depends on the order of the passages, share does not", Default: "ap", Values: []string{"ap", "share"},
	}}
	return c.define(d, func(in metric.Input, p metric.Params, r rulings) assay.Score {
		n := shown(in)
		if n == 0 {
			return emptyList(in)
		}
		u, k := usefulness(r.findings, n), cutAt(p.K, n)
		s := u.precision(k, p.Word("stat") == "share")
		for j, v := range u.degree[:k] {
			if v < 0.5 {
				e := assay.Evidence{Kind: "not useful", Text: excerpt(in.Response.Passages[j].Text), Where: passageNumber(j)}
				s.Evidence = append(s.Evidence, e)
			}
		}
		return s
	})
}
