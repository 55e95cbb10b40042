package retrieval

import (
	"math"

	"github.com/assay-eval/assay/metric"
)

// GradedG discounts each gain by how far the ranking lags behind the ideal one.
var GradedG = documents(metric.Def{
	Name:  "graded_g",
	Title: "Graded G",
	Doc:   "How much gain the ranking gives for what it costs to read, when documents are relevant by degrees.",
	Formula: "Σ gain(grade) / log2(2 + c − g) / Σ gains of the ideal ranking, g = gains up to the rank, c = " +
		"Σ over the same ranks of the larger of 1 and the ideal gain",
	Edges:  "Documents without a judgment have no gain. " + notMeasured,
	Source: "trec_eval G",
	Params: []metric.Param{gainParam},
}, graded(func(r *Ranking, _ int, gain Gain) float64 { return r.GradedG(gain) }))

// GradedG is the sum of the gains of the returned documents, each discounted by
// the cost of reading so far less the gain so far, over the sum of all gains; a
// rank costs the ideal gain there, at least 1. It is 0 if there is no gain.
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
