package retrieval

import (
	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/metric"
)

// SourcePrecision is precision over the sources of the first k chunks.
var SourcePrecision = sourceSet(metric.Def{
	Name:    "src_precision",
	Title:   "Source precision",
	Doc:     "How many of the sources that the generator sees, when it is given k chunks, are relevant.",
	Formula: "relevant sources among those of the first k chunks / distinct sources of the first k chunks",
	Edges:   "Not applicable when no chunk names a source. 0 when no source is judged relevant." + sourceEdge,
	Source:  "own definition, because tools differ: cut, then deduplicate",
}, func(r *caseRanking, level int) assay.Score {
	if len(r.ranks) == 0 {
		return assay.None("no source was retrieved")
	}
	return assay.Value(ratio(r.Found(0, level), len(r.ranks)))
})
