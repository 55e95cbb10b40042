package retrieval

import (
	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/metric"
)

// RecallAt is the share of the relevant documents that are in the first k.
var RecallAt = documents(metric.Def{
	Name:    "recall",
	Title:   "Recall",
	Doc:     "How much of what is relevant was found. No later stage can recover what retrieval misses.",
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

// Recall returns the share of the relevant documents that are among the first k,
// or among all if k is 0; 0 if none is judged relevant.
func (r *Ranking) Recall(k, level int) float64 {
	return ratio(r.Found(k, level), r.Relevant(level))
}

// ratio returns a/b, or 0 if b is 0, as trec_eval does. The metrics handle an
// empty denominator themselves.
func ratio(a, b int) float64 {
	if b == 0 {
		return 0
	}
	return float64(a) / float64(b)
}

// RecallCap is recall relative to the highest value possible at cutoff k.
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

// RecallCap returns the number of relevant documents among the first k over the
// most that k ranks can hold; 0 if none is judged relevant.
func (r *Ranking) RecallCap(k, level int) float64 {
	return ratio(r.Found(k, level), min(k, r.Relevant(level)))
}
