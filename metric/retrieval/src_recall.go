package retrieval

import (
	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/metric"
)

// SourceRecall is recall of sources within the first k chunks.
var SourceRecall = sourceSet(metric.Def{
	Name:    "src_recall",
	Title:   "Source recall",
	Doc:     "How many of the relevant sources the generator sees when it is given k chunks.",
	Formula: "relevant sources among those of the first k chunks / sources judged relevant",
	Edges:   sourceMeasured,
	Source:  "own definition, because tools differ: cut, then deduplicate",
}, func(r *caseRanking, level int) assay.Score {
	if r.Relevant(level) == 0 {
		return assay.None(noRelevant)
	}
	s := assay.Value(r.Recall(0, level))
	s.Evidence = r.evidence(0, level)
	return s
})
