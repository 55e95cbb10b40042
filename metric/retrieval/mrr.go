package retrieval

import "github.com/assay-eval/assay/metric"

// MRR is the reciprocal rank; its mean over cases is the mean reciprocal rank.
var MRR = documents(metric.Def{
	Name:    "mrr",
	Title:   "MRR",
	Doc:     "How high the first relevant document ranks. What follows it does not matter.",
	Formula: "1 / rank of the first relevant document among the first k, 0 if there is none",
	Edges:   notMeasured,
	Source:  "trec_eval recip_rank; Voorhees, TREC-8 question answering track, 1999",
	Cutoff:  metric.OptionalCutoff,
	Params:  []metric.Param{levelParam},
}, binary((*Ranking).ReciprocalRank))

// ReciprocalRank returns 1/rank of the first relevant document among the first k,
// or among all if k is 0; 0 if there is none.
func (r *Ranking) ReciprocalRank(k, level int) float64 {
	if r.Found(k, level) == 0 {
		return 0
	}
	return 1 / float64(r.Hits(level)[0])
}
