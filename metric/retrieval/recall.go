package retrieval

import (
	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/metric"
)

// RecallAt is the share of the relevant documents that are in the first k.
var RecallAt = documents(metric.Def{
	Name:    "recall",
	Title:   "Recall",
	Doc:     "How much of what is relevant was found. What retrieval misses, no later stage can bring back.",
	Formula: "relevant documents among the first k / documents judged relevant",
	Edges:   notMeasured,
	Source:  "trec_eval recall",
	Cutoff:  metric.RequiredCutoff,
	Params:  []metric.Param{levelParam},
}, func(p metric.Params) Formula {
	k, lv := p.K, level(p)
	return func(r *Ranking) assay.Score {
		if r.Relevant(lv) == 0 {
			return assay.None(noRelevant)
		}
		s := assay.Value(r.Recall(k, lv))
		s.Evidence = r.evidence(k, lv)
		return s
	}
})

// Recall is the share of the relevant documents among the first k, all when k
// is 0; 0 if none is judged relevant.
func (r *Ranking) Recall(k, level int) float64 {
	return ratio(r.Found(k, level), r.Relevant(level))
}

// ratio is a/b, or 0 if b is: the convention of trec_eval. A metric of this
// package decides before what an empty denominator means.
func ratio(a, b int) float64 {
	if b == 0 {
		return 0
	}
	return float64(a) / float64(b)
}
