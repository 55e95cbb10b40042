package retrieval

import "github.com/assay-eval/assay/metric"

// SourceMRR is the reciprocal rank of the first relevant source.
var SourceMRR = sources(metric.Def{
	Name:    "src_mrr",
	Title:   "Source MRR",
	Doc:     "How many other sources stand above the first relevant one.",
	Formula: "1 / rank of the first relevant source, each source ranked by its first chunk",
	Edges:   "0 when there is none. k counts sources. " + sourceMeasured,
	Source:  "own definition, because tools differ: deduplicate, then cut",
	Cutoff:  metric.OptionalCutoff,
	Params:  []metric.Param{levelParam},
}, binary((*Ranking).ReciprocalRank))
