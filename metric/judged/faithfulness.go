package judged

import (
	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge"
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

// MultiChunkOnly is the share of claims that only several passages together
// support.
var MultiChunkOnly = answerInEach.define(metric.Def{
	Name:  "multi_chunk_only",
	Title: "Supported by several passages only",
	Doc: "How much of what the answer claims several passages support together and none supports alone. " +
		"A diagnostic: it is the error of tools that look at one passage at a time, and says nothing about quality.",
	Formula: "claims supported by the passages together and by no single one / claims with a ruling; " +
		"it equals faithfulness - faithfulness(support=single)",
	Edges:  claimsEdge + nothingEdge + unknownEdge,
	Source: "own definition beside " + ragChecker,
	Better: metric.Lower,
}, func(in metric.Input, _ metric.Params, r rulings) assay.Score {
	n := shown(in)
	worth := func(f judge.Finding) (float64, bool) {
		v, known := credit(f)
		alone, _ := single(f, n)
		return v - alone, known
	}
	return r.mean(worth, func(f judge.Finding) string {
		if _, alone := supporters(f, n); f.Verdict == judge.Supported && !alone {
			return "several passages"
		}
		return ""
	})
})
