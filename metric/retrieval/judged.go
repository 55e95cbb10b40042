package retrieval

import (
	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/metric"
)

// JudgedAt is the share of the first k documents that have a judgment.
var JudgedAt = documents(metric.Def{
	Name:  "judged",
	Title: "Judged", Capped: true,
	Doc: "How much of what was returned is judged at all. If it is low, the other metrics say little: what " +
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

// UnjudgedAt is the share of the first k ranks without a judgment.
var UnjudgedAt = documents(metric.Def{
	Name:  "unjudged",
	Title: "Unjudged", Capped: true,
	Doc:     "How many of the first k ranks hold a document that no one judged.",
	Formula: "unjudged documents among the first k / k",
	Edges:   "Ranks that were not filled are not unjudged. A negative grade is no judgment." + duplicateEdge,
	Source:  "trec_eval unj",
	Better:  metric.Lower,
	Cutoff:  metric.RequiredCutoff,
}, func(p metric.Params) Formula {
	return func(r *Ranking) assay.Score {
		return assay.Value(r.ShareUnjudged(p.K))
	}
})

// ShareUnjudged returns the share of the first k ranks that hold a document without
// a judgment. k must be at least 1.
func (r *Ranking) ShareUnjudged(k int) float64 { return float64(r.CountUnjudged(k)) / float64(k) }

// CountUnjudged counts the documents without a judgment among the first k, or
// among all if k is 0.
func (r *Ranking) CountUnjudged(k int) int {
	n := 0
	for _, g := range r.Grades[:r.depth(k)] {
		if g < 0 {
			n++
		}
	}
	return n
}
