package retrieval

import "github.com/assay-eval/assay/metric"

// SetRecallCap is set recall that the length of the list cannot keep from 1.
var SetRecallCap = documents(metric.Def{
	Name:    "set_recall_cap",
	Title:   "Capped set recall",
	Doc:     "Set recall as a share of what a list of this length could hold.",
	Formula: "relevant documents returned / min(documents returned, documents judged relevant)",
	Edges:   "Not applicable when nothing was retrieved. " + notMeasured,
	Source:  "trec_eval set_relative_P",
	Params:  []metric.Param{levelParam},
}, ofSet(func(r *Ranking, _ metric.Params, level int) float64 { return r.SetRecallCap(level) }))

// SetRecallCap is the number of relevant documents returned over the most that
// could have been; 0 if that is 0.
func (r *Ranking) SetRecallCap(level int) float64 {
	return ratio(r.Found(0, level), min(r.Len(), r.Relevant(level)))
}
