package retrieval

import "github.com/assay-eval/assay/metric"

// ERRIA is the intent-aware expected reciprocal rank.
var ERRIA = subtopics(metric.Def{
	Name:    "err_ia",
	Title:   "ERR-IA",
	Doc:     "How early the ranking covers the aspects of the question for readers who each want one of them and stop when they have it.",
	Formula: "Σ over the first k ranks of gain / rank, over that of the greedy ideal ranking; gains are those of alpha_ndcg",
	Source:  "Chapelle et al., Information Retrieval 2011; nERR-IA of ndeval",
	Params:  []metric.Param{alphaParam},
}, func(r *Ranking, p metric.Params) float64 { return r.ERRIA(p.K, p.Number(alphaParam.Name)) })

// ERRIA is the normalised intent-aware expected reciprocal rank of the first k
// documents, all if k is 0; 0 if no document is labelled with a subtopic.
func (r *Ranking) ERRIA(k int, alpha float64) float64 {
	return r.novelty(k, alpha, func(rank int) float64 { return float64(rank) })
}
