package retrieval

import "github.com/assay-eval/assay/metric"

// RecallCap is recall that k cannot keep from 1.
var RecallCap = documents(metric.Def{
	Name:    "recall_cap",
	Title:   "Capped recall",
	Doc:     "Recall as a share of what k ranks could hold, for queries with more relevant documents than k.",
	Formula: "relevant documents among the first k / min(k, documents judged relevant)",
	Edges:   notMeasured,
	Source:  "trec_eval relative_P; BEIR recall_cap; Thakur et al., NeurIPS 2021",
	Cutoff:  metric.RequiredCutoff,
	Params:  []metric.Param{levelParam},
}, binary((*Ranking).RecallCap))

// RecallCap is the share of the relevant documents among the first k of those
// that k ranks can hold; 0 if none is judged relevant.
func (r *Ranking) RecallCap(k, level int) float64 {
	return ratio(r.Found(k, level), min(k, r.Relevant(level)))
}
