package retrieval

import "github.com/assay-eval/assay/metric"

// SourceMAP is average precision over sources.
var SourceMAP = sources(metric.Def{
	Name:    "src_map",
	Title:   "Source MAP",
	Doc:     "Precision at every relevant source, averaged over the sources judged relevant.",
	Formula: "average precision of the ranking of sources, each ranked by its first chunk",
	Edges:   "k counts sources. " + sourceMeasured,
	Source:  "own definition, because tools differ: deduplicate, then cut",
	Cutoff:  metric.OptionalCutoff,
	Params:  []metric.Param{levelParam},
}, binary((*Ranking).AveragePrecision))
