package retrieval

import (
	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/metric"
)

// PassageNDCG is nDCG over chunks that bring a new reference passage.
var PassageNDCG = passages(metric.Def{
	Name:  "passage_ndcg",
	Title: "Passage nDCG",
	Doc:   "How near the order of chunks is to one that brings a new reference passage at every rank.",
	Formula: "Σ new / log2(rank + 1) over the first k chunks, divided by the same sum over min(k, reference " +
		"passages) ranks of 1; new is 1 for a chunk that matches a passage not matched above",
	Edges: "A chunk that only repeats earlier passages gains nothing. A chunk that brings several at once gains " +
		"1, so that a ranking of few chunks may stay below 1.",
	Cutoff: metric.OptionalCutoff,
}, func(m *matches, k int) assay.Score {
	sum, best := 0.0, 0.0
	for i, n := range m.novel() {
		sum += float64(n) / Discount(i+1)
	}
	for i := range cutoff(m.want, k) {
		best += 1 / Discount(i+1)
	}
	return assay.Value(sum / best)
})
