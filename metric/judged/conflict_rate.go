package judged

import (
	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/metric"
)

// ConflictRate is the share of the answer's claims on which the passages conflict.
var ConflictRate = answerInPassages.define(metric.Def{
	Name:  "conflict_rate",
	Title: "Conflict rate",
	Doc: "How much of what the answer claims one passage supports and another contradicts: the corpus disagrees with itself. " +
		"Such a claim counts as supported in faithfulness.",
	Formula: "claims of the answer that one passage supports and another contradicts / claims with a ruling",
	Edges:   claimsEdge + "Where fewer than two passages have text, nothing can conflict and there is no value. " + unknownEdge,
	Source:  "own definition over the rulings of faithfulness",
	Better:  metric.Lower,
}, func(in metric.Input, _ metric.Params, r rulings) assay.Score {
	texts := 0
	for _, p := range in.Response.Passages[:min(shown(in), len(in.Response.Passages))] {
		if hasText([]assay.Passage{p}) {
			texts++
		}
	}
	if texts < 2 {
		return assay.None("fewer than two passages have text")
	}
	return r.those("conflict", judge.Finding.Conflict)
})
