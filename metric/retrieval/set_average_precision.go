package retrieval

import "github.com/assay-eval/assay/metric"

// SetAveragePrecision is the product of set precision and set recall.
var SetAveragePrecision = documents(metric.Def{
	Name:    "set_average_precision",
	Title:   "Set average precision",
	Doc:     "Set precision and set recall multiplied: average precision when the order means nothing.",
	Formula: "set_precision · set_recall",
	Edges:   "Not applicable when nothing was retrieved. " + notMeasured,
	Source:  "trec_eval set_map",
	Params:  []metric.Param{levelParam},
}, ofSet(func(r *Ranking, _ metric.Params, level int) float64 { return r.SetAveragePrecision(level) }))

// SetAveragePrecision is set precision times recall over the whole list; 0 when
// either is not defined.
func (r *Ranking) SetAveragePrecision(level int) float64 {
	return r.SetPrecision(level) * r.Recall(0, level)
}
