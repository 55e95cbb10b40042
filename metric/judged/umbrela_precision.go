package judged

import (
	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/metric"
)

// UmbrelaPrecision is the share of passages that a judge finds relevant.
var UmbrelaPrecision = graded(metric.Def{
	Name:    "umbrela_precision",
	Title:   "Judged precision",
	Doc:     "How much of what was retrieved answers the question at least in part, as a judge sees it. It needs no label.",
	Formula: "passages of grade 2 or 3 among the first k / passages among the first k",
	Edges:   "The denominator is the number of passages that came back, at most k. " + gradeEdge,
	Source:  umbrela + ", binary from grade 2",
}, func(metric.Params) func([]judge.Grade) assay.Score {
	return func(grades []judge.Grade) assay.Score {
		var t tally
		for _, g := range grades {
			v := 0.0
			if relevant(g) {
				v = 1
			}
			t.add(1, v, known(g))
		}
		return t.score()
	}
})
