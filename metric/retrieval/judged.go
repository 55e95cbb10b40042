package retrieval

import (
	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/metric"
)

// JudgedAt is the share of the first k that have a judgment.
var JudgedAt = documents(metric.Def{
	Name:  "judged",
	Title: "Judged",
	Doc: "How much of what was returned is judged at all. When it is low, the other metrics tell little: what " +
		"was never judged counts as not relevant.",
	Formula: "judged documents among the first k / min(k, returned)",
	Edges: "A document that was pooled and not judged, with a negative grade, is not judged. Not applicable " +
		"when nothing was retrieved." + duplicateEdge,
	Source: "Judged@k of ir_measures, which counts negative grades as judged",
	Cutoff: metric.RequiredCutoff,
}, func(p metric.Params) Formula {
	return func(r *Ranking) assay.Score {
		n := r.depth(p.K)
		if n == 0 {
			return assay.None(noResult)
		}
		return assay.Value(float64(n-r.CountUnjudged(p.K)) / float64(n))
	}
})
