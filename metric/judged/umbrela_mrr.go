package judged

import (
	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/metric"
)

// UmbrelaMRR is 1 / rank of the first passage that a judge finds relevant.
var UmbrelaMRR = graded(metric.Def{
	Name:    "umbrela_mrr",
	Title:   "Judged MRR",
	Doc:     "How far up the first passage stands that answers the question at least in part, as a judge sees it. It needs no label.",
	Formula: "1 / rank of the first passage of grade 2 or 3 among the first k, else 0",
	Edges:   "A passage without a grade keeps its rank. " + gradeEdge,
	Source:  umbrela + ", binary from grade 2",
}, func(metric.Params) func([]judge.Grade) assay.Score {
	return func(grades []judge.Grade) assay.Score {
		first := func(is func(judge.Grade) bool) float64 {
			for i, g := range grades {
				if is(g) {
					return 1 / float64(i+1)
				}
			}
			return 0
		}
		v := first(relevant)
		high := first(func(g judge.Grade) bool { return relevant(g) || !known(g) })
		return bounded(v, v, high, unknowns(grades), len(grades))
	}
})
