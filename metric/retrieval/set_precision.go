package retrieval

import (
	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/metric"
)

// SetPrecision is precision over all that was returned.
var SetPrecision = documents(metric.Def{
	Name:    "set_precision",
	Title:   "Set precision",
	Doc:     "How much of all that was returned is relevant, whatever the order.",
	Formula: "relevant documents returned / documents returned",
	Edges:   "Not applicable when nothing was retrieved. 0 when no document is judged relevant." + duplicateEdge,
	Source:  "trec_eval set_P",
	Params:  []metric.Param{levelParam},
}, func(p metric.Params) Formula {
	lv := level(p)
	return func(r *Ranking) assay.Score {
		if r.Len() == 0 {
			return assay.None(noResult)
		}
		return assay.Value(r.SetPrecision(lv))
	}
})

// SetPrecision is the share of relevant documents in the whole list; 0 if it
// is empty.
func (r *Ranking) SetPrecision(level int) float64 { return ratio(r.Found(0, level), r.Len()) }
