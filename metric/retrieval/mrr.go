package retrieval

import "github.com/assay-eval/assay/metric"

// MRR is the reciprocal rank, whose mean over cases has the name.
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

// ReciprocalRank is 1/rank of the first relevant document among the first k,
// all if k is 0, else 0.
func (r *Ranking) ReciprocalRank(k, level int) float64 {
	if r.Found(k, level) == 0 {
		return 0
	}
	return 1 / float64(r.Hits(level)[0])
}
