package judged

import (
	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/metric"
)

// Faithfulness is the share of the answer's claims that the passages support.
var Faithfulness = answerInPassages.define(metric.Def{
	Name:  "faithfulness",
	Title: "Faithfulness", LabelQuestion: assay.LabelSupported,
	Doc: "How much of what the answer claims the passages support, claim by claim, with all claims listed. " +
		"Read it together with coverage: an answer that says little is easily faithful.",
	Formula: "supported claims of the answer / claims with a ruling",
	Edges: claimsEdge + nothingEdge + "An answer for which nothing was retrieved scores 0. " + unknownEdge +
		"support=single counts a claim only if one passage alone supports it, as RAGChecker does; the difference is multi_chunk_only. " +
		"If no ruling is missing, faithfulness + hallucination + self_knowledge = 1, for either support.",
	Source: "Ragas faithfulness (Es et al., EACL 2024), with one ruling for each claim; support=single: " + ragChecker +
		". That of DeepEval counts every claim that the passages do not contradict",
	Params: []metric.Param{supportParam},
}, func(in metric.Input, p metric.Params, r rulings) assay.Score {
	s := r.mean(supportOf(p, shown(in)), ruling)
	if len(in.Response.Passages) == 0 {
		s.Reason = nothing
	}
	return s
})
