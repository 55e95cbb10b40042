package judged

import (
	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/metric"
)

// ContradictionRate is the share of the answer's claims that the passages
// contradict.
var ContradictionRate = answerInPassages.define(metric.Def{
	Name:  "contradiction_rate",
	Title: "Contradiction rate", LabelQuestion: assay.LabelUncontradicted,
	Doc: "How much of what the answer claims the passages contradict. " +
		"It separates wrong claims from unfounded ones, which faithfulness does not.",
	Formula: "contradicted claims of the answer / claims with a ruling",
	Edges: claimsEdge + "Where nothing was retrieved, or the passages have no text, nothing can contradict and there is no value. " +
		unknownEdge,
	Source: "own definition over the rulings of faithfulness",
	Better: metric.Lower,
}, func(in metric.Input, _ metric.Params, r rulings) assay.Score {
	if len(in.Response.Passages) == 0 {
		return assay.None(nothing)
	}
	return r.those("contradicted", func(f judge.Finding) bool { return f.Verdict == judge.Contradicted })
})
