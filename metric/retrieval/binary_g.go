package retrieval

import (
	"math"

	"github.com/assay-eval/assay/metric"
)

// BinaryG discounts each relevant document by what a reader had to skip.
var BinaryG = documents(metric.Def{
	Name:  "binary_g",
	Title: "Binary G",
	Doc: "How few irrelevant documents a reader passes on the way to each relevant one. Relevant documents " +
		"above cost nothing, unlike in map.",
	Formula: "1/R · Σ over relevant documents found of 1 / log2(2 + n), n = documents above it that are not relevant, R = judged relevant",
	Edges:   "A relevant document that was not found adds 0. " + notMeasured,
	Source:  "trec_eval binG",
	Params:  []metric.Param{levelParam},
}, binary(func(r *Ranking, _, level int) float64 { return r.BinaryG(level) }))

// BinaryG is the mean, over relevant documents, of 1/log2(2 + the number of
// others above); 0 if none is found.
func (r *Ranking) BinaryG(level int) float64 {
	sum := 0.0
	for i, rank := range r.Hits(level) {
		sum += 1 / math.Log2(float64(2+rank-1-i))
	}
	if sum == 0 {
		return 0
	}
	return sum / float64(r.Relevant(level))
}
