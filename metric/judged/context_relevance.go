package judged

import (
	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/metric"
)

// ContextRelevance is the mean grade of the passages.
var ContextRelevance = graded(metric.Def{
	Name:    "context_relevance",
	Title:   "Context relevance",
	Doc:     "How relevant the passages are to the question, each graded by a judge from 0, unrelated, to 3, dedicated to it and exact. It needs no label.",
	Formula: "mean over the first k passages of grade / 3",
	Edges:   gradeEdge,
	Source:  "grades of " + umbrela + ", averaged as in the triad of TruLens",
}, func(metric.Params) func([]judge.Grade) assay.Score {
	return func(grades []judge.Grade) assay.Score {
		var t tally
		for _, g := range grades {
			t.add(1, clip(g.Degree), known(g))
		}
		return t.score()
	}
})
