package retrieval

import (
	"math"

	"github.com/assay-eval/assay/metric"
)

// BinaryG discounts each relevant document by the number of documents above it that are not relevant.
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

// BinaryG returns the mean, over relevant documents, of 1/log2(2 + n), where n is
// the number of documents above that are not relevant; 0 if none is found.
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

// GradedG discounts each gain by how far the ranking lags behind the ideal one.
var GradedG = documents(metric.Def{
	Name:  "graded_g",
	Title: "Graded G",
	Doc:   "How much gain the ranking gives for the cost of reading it, for graded relevance.",
	Formula: "Σ gain(grade) / log2(2 + c − g) / Σ gains of the ideal ranking, g = gains up to the rank, c = " +
		"Σ over the same ranks of the larger of 1 and the ideal gain",
	Edges:  "Documents without a judgment have no gain. " + notMeasured,
	Source: "trec_eval G",
	Params: []metric.Param{gainParam},
}, graded(func(r *Ranking, _ int, gain Gain) float64 { return r.GradedG(gain) }))

// GradedG returns the sum of the discounted gains of the returned documents over
// the sum of all gains. A gain is discounted by the cost of reading up to its rank
// less the gain up to there; each rank costs the ideal gain at this rank, at least
// 1. The result is 0 if no document has a gain.
func (r *Ranking) GradedG(gain Gain) float64 {
	ideal := r.IdealGains(gain)
	best := 0.0
	for _, g := range ideal {
		best += g
	}
	if best == 0 {
		return 0
	}
	sum, got, cost := 0.0, 0.0, 0.0
	for i := range r.Grades {
		g := r.gainAt(i, gain)
		got += g
		if i < len(ideal) {
			cost += max(ideal[i], 1)
		} else {
			cost++
		}
		if g != 0 {
			sum += g / math.Log2(2+cost-got)
		}
	}
	return sum / best
}
