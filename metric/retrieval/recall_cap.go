package retrieval

import "github.com/assay-eval/assay/metric"

// RecallCap is recall that k cannot keep from 1.
var RecallCap = documents(metric.Def{
	Name:    "recall_cap",
	Title:   "Capped recall",
	Doc:     "Recall as a share of what k ranks could hold, for queries with more relevant documents than k.",
	Formula: "relevant documents among the first k / min(k, documents judged relevant)",
	Edges:   notMeasured,
	Source:  "BEIR recall_cap; Thakur et al., NeurIPS 2021",
	Cutoff:  metric.RequiredCutoff,
	Params:  []metric.Param{levelParam},
}, binary(func(r *Ranking, k, level int) float64 {
	return ratio(r.Found(k, level), min(k, r.Relevant(level)))
}))
