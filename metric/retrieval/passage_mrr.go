package retrieval

import (
	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/metric"
)

// PassageMRR is the reciprocal rank of the first chunk that matches.
var PassageMRR = passages(metric.Def{
	Name:    "passage_mrr",
	Title:   "Passage MRR",
	Doc:     "How far down the first chunk stands that holds, or lies in, a reference passage.",
	Formula: "1 / rank of the first chunk that matches a reference passage, 0 when there is none",
	Cutoff:  metric.OptionalCutoff,
}, func(m *matches, _ int) assay.Score {
	for i, of := range m.of {
		if len(of) > 0 {
			return assay.Value(1 / float64(i+1))
		}
	}
	return assay.Value(0)
})
