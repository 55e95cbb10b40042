package retrieval

import (
	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/metric"
)

// PrecisionAt is the share of relevant documents in the first k ranks.
var PrecisionAt = documents(metric.Def{
	Name:    "precision",
	Title:   "Precision",
	Doc:     "How much of what is shown is relevant. It falls with every rank that is filled with something else, or not filled.",
	Formula: "relevant documents among the first k / k",
	Edges:   "The denominator is k even when fewer came back. 0 when no document is judged relevant." + duplicateEdge,
	Source:  "trec_eval P",
	Cutoff:  metric.RequiredCutoff,
	Params:  []metric.Param{levelParam},
}, func(p metric.Params) Formula {
	k, lv := p.K, level(p)
	return func(r *Ranking) assay.Score { return assay.Value(r.Precision(k, lv)) }
})

// Precision is the share of the first k ranks that hold a relevant document;
// ranks that were not filled count against it. k must be at least 1.
func (r *Ranking) Precision(k, level int) float64 {
	return float64(r.Found(k, level)) / float64(k)
}
