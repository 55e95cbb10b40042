package retrieval

import (
	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/metric"
)

// UnjudgedAt is the share of the first k ranks without a judgment.
var UnjudgedAt = documents(metric.Def{
	Name:    "unjudged",
	Title:   "Unjudged",
	Doc:     "How many of the first k ranks hold a document that nobody judged.",
	Formula: "unjudged documents among the first k / k",
	Edges:   "Ranks that were not filled are not unjudged. A negative grade is no judgment." + duplicateEdge,
	Source:  "trec_eval unj",
	Better:  metric.Lower,
	Cutoff:  metric.RequiredCutoff,
}, func(p metric.Params) Formula {
	return func(r *Ranking) assay.Score {
		return assay.Value(float64(r.CountUnjudged(p.K)) / float64(p.K))
	}
})

// CountUnjudged counts the documents without a judgment among the first k, all
// when k is 0.
func (r *Ranking) CountUnjudged(k int) int {
	n := 0
	for _, g := range r.Grades[:r.depth(k)] {
		if g < 0 {
			n++
		}
	}
	return n
}
