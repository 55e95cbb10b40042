package retrieval

import (
	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/metric"
)

// PrecisionReturned is precision over what did come back.
var PrecisionReturned = documents(metric.Def{
	Name:    "precision_returned",
	Title:   "Precision of what was returned",
	Doc:     "Precision that does not blame a target for returning fewer than k. Read it beside precision when lists are short.",
	Formula: "relevant documents among the first k / min(k, returned)",
	Edges:   "Not applicable when nothing was retrieved. 0 when no document is judged relevant." + duplicateEdge,
	Source:  "metrics of ranx and continuous-eval without a cutoff",
	Cutoff:  metric.RequiredCutoff,
	Params:  []metric.Param{levelParam},
}, func(p metric.Params) Formula {
	k, lv := p.K, level(p)
	return func(r *Ranking) assay.Score {
		n := r.depth(k)
		if n == 0 {
			return assay.None(noResult)
		}
		return assay.Value(float64(r.Found(k, lv)) / float64(n))
	}
})
