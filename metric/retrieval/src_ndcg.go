package retrieval

import "github.com/assay-eval/assay/metric"

// SourceNDCG is nDCG over sources.
var SourceNDCG = sources(metric.Def{
	Name:    "src_ndcg",
	Title:   "Source nDCG",
	Doc:     "How near the order of sources is to the best possible one.",
	Formula: "nDCG@k of the ranking of sources, each ranked by its first chunk",
	Edges:   "k counts sources. " + sourceMeasured,
	Source:  "own definition, because tools differ: deduplicate, then cut",
	Cutoff:  metric.OptionalCutoff,
	Params:  []metric.Param{gainParam},
}, graded((*Ranking).NDCG))
