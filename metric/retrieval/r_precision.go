package retrieval

import "github.com/assay-eval/assay/metric"

// RPrecision is precision at the number of relevant documents.
var RPrecision = documents(metric.Def{
	Name:    "r_precision",
	Title:   "R-precision",
	Doc:     "Precision, and recall, at the depth where both could be 1.",
	Formula: "relevant documents among the first R / R, R = documents judged relevant",
	Edges:   notMeasured,
	Source:  "trec_eval Rprec",
	Params:  []metric.Param{levelParam},
}, binary(func(r *Ranking, _, level int) float64 { return r.RPrecision(level) }))

// RPrecision is the share of relevant documents among the first R, where R is
// the number judged relevant; 0 when R is.
func (r *Ranking) RPrecision(level int) float64 {
	relevant := r.Relevant(level)
	if relevant == 0 {
		return 0
	}
	return r.Precision(relevant, level)
}
