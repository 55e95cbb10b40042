package stage

import (
	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/metric"
)

// FilterKeptRecall is the share of relevant chunks that the filter kept.
var FilterKeptRecall = filters(metric.Def{
	Name:    "filter_kept_recall",
	Title:   "Filter: relevant kept",
	Doc:     "How much of the relevant that was retrieved the filter kept. What it drops, no later stage can have.",
	Formula: "relevant chunks that the filter kept / relevant chunks that were retrieved, pooled over cases",
	Edges:   "Not applicable when nothing relevant was retrieved.",
}, func(k sifting) assay.Score {
	if k.relevantIn == 0 {
		return assay.None("nothing relevant was retrieved")
	}
	return assay.Ratio(float64(k.relevantOut), float64(k.relevantIn))
})
