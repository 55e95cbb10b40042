package retrieval

import "github.com/assay-eval/assay/metric"

// Hit is 1 if any of the first k documents is relevant, else 0.
var Hit = documents(metric.Def{
	Name:    "hit",
	Title:   "Hit",
	Doc:     "Whether at least one relevant document was retrieved: enough if one suffices to answer.",
	Formula: "1 if any of the first k is relevant, else 0",
	Edges:   notMeasured,
	Source:  "trec_eval success",
	Cutoff:  metric.RequiredCutoff,
	Params:  []metric.Param{levelParam},
}, binary((*Ranking).Success))

// Success returns 1 if any of the first k documents is relevant, or any at all if
// k is 0; else 0.
func (r *Ranking) Success(k, level int) float64 {
	if r.Found(k, level) > 0 {
		return 1
	}
	return 0
}
