package retrieval

import (
	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/metric"
)

// SourceHit reports whether the first k chunks touch a relevant source.
var SourceHit = sourceSet(metric.Def{
	Name:    "src_hit",
	Title:   "Source hit",
	Doc:     "Whether any of k chunks is of a relevant source.",
	Formula: "1 if any of the first k chunks is of a relevant source, else 0",
	Edges:   sourceMeasured,
	Source:  "own definition, because tools differ: cut, then deduplicate",
}, func(r *caseRanking, level int) assay.Score {
	if r.Relevant(level) == 0 {
		return assay.None(noRelevant)
	}
	return assay.Value(r.Success(0, level))
})
