package retrieval

import "github.com/assay-eval/assay/metric"

// AlphaNDCG is nDCG that counts a subtopic less each time it comes again.
var AlphaNDCG = subtopics(metric.Def{
	Name:  "alpha_ndcg",
	Title: "α-nDCG",
	Doc:   "How early the ranking covers the aspects of the question, when each document that repeats an aspect is worth less.",
	Formula: "DCG@k / DCG@k of the greedy ideal ranking; a document gains Σ over its subtopics of (1 − α)^(times the subtopic was " +
		"seen above)",
	Source: "Clarke et al., SIGIR 2008; ndeval",
	Params: []metric.Param{alphaParam},
}, func(r *Ranking, p metric.Params) float64 { return r.AlphaNDCG(p.K, p.Number(alphaParam.Name)) })

// AlphaNDCG is the α-nDCG of the first k documents, all if k is 0; 0 if no
// document is labelled with a subtopic.
func (r *Ranking) AlphaNDCG(k int, alpha float64) float64 { return r.novelty(k, alpha, Discount) }
