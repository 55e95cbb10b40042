package retrieval

import "github.com/assay-eval/assay/metric"

// MAP is average precision; its mean over cases is the mean average precision.
var MAP = documents(metric.Def{
	Name:    "map",
	Title:   "MAP",
	Doc:     "Precision at every relevant document, averaged: it rewards finding all of them, early.",
	Formula: "Σ over relevant documents among the first k of (precision at its rank) / documents judged relevant",
	Edges: "The denominator is the number judged relevant even if that is more than k. A relevant document that was not found adds 0. " +
		notMeasured,
	Source: "trec_eval map and map_cut",
	Cutoff: metric.OptionalCutoff,
	Params: []metric.Param{levelParam},
}, binary((*Ranking).AveragePrecision))

// AveragePrecision returns the mean, over the documents judged relevant, of the
// precision at their ranks within the first k documents, or all if k is 0. A
// document that is not found counts as 0. The result is 0 if none is judged relevant.
func (r *Ranking) AveragePrecision(k, level int) float64 {
	relevant := r.Relevant(level)
	if relevant == 0 {
		return 0
	}
	sum := 0.0
	for i, rank := range r.Hits(level)[:r.Found(k, level)] {
		sum += float64(i+1) / float64(rank)
	}
	return sum / float64(relevant)
}
