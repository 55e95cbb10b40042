package retrieval

import "github.com/assay-eval/assay/metric"

// SetRecall is recall over all that was returned.
var SetRecall = documents(metric.Def{
	Name:    "set_recall",
	Title:   "Set recall",
	Doc:     "How much of what is relevant was returned at all, whatever the order.",
	Formula: "relevant documents returned / documents judged relevant",
	Edges:   notMeasured,
	Source:  "trec_eval set_recall",
	Params:  []metric.Param{levelParam},
}, binary(func(r *Ranking, _, level int) float64 { return r.Recall(0, level) }))
