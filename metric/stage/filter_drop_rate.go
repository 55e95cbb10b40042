package stage

import (
	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/metric"
)

// FilterDropRate is the share of irrelevant chunks that the filter dropped.
var FilterDropRate = filters(metric.Def{
	Name:    "filter_drop_rate",
	Title:   "Filter: irrelevant dropped",
	Doc:     "How much of the irrelevant that was retrieved the filter dropped. Read filter_kept_recall beside it: a filter that drops everything scores 1.",
	Formula: "irrelevant chunks that the filter dropped / irrelevant chunks that were retrieved, pooled over cases",
	Edges:   "Not applicable when nothing irrelevant was retrieved.",
}, func(k sifting) assay.Score {
	if k.irrelevantIn == 0 {
		return assay.None("nothing irrelevant was retrieved")
	}
	return assay.Ratio(float64(k.irrelevantIn-k.irrelevantOut), float64(k.irrelevantIn))
})
