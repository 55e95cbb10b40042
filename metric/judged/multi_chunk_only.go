package judged

import (
	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/metric"
)

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
