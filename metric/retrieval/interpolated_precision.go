package retrieval

import (
	"math"

	"github.com/assay-eval/assay/metric"
)

// InterpolatedPrecision is the precision still reachable at a level of recall.
var InterpolatedPrecision = documents(metric.Def{
	Name:  "interpolated_precision",
	Title: "Interpolated precision",
	Doc:   "The best precision that a reader can have who wants at least the given share of the relevant documents.",
	Formula: "max over ranks where at least round(recall · R) relevant documents were found of (found / rank), R " +
		"= documents judged relevant",
	Edges:  "0 when the share is never reached. " + notMeasured,
	Source: "trec_eval iprec_at_recall",
	Params: []metric.Param{
		{Name: "recall", Doc: "the share of the relevant documents that must be found", Default: "0.5", Min: 0, Max: 1},
		levelParam,
	},
}, func(p metric.Params) Formula {
	recall := p.Number("recall")
	return binary(func(r *Ranking, _, level int) float64 { return r.InterpolatedPrecision(recall, level) })(p)
})

// InterpolatedPrecision is the highest precision at or below the rank at which
// the given share of the relevant documents is found; 0 if it is not found.
func (r *Ranking) InterpolatedPrecision(recall float64, level int) float64 {
	hits := r.Hits(level)
	// trec_eval 10 rounds; version 9 added 0.9 and truncated.
	need := int(math.Round(recall * float64(r.Relevant(level))))
	if need > len(hits) {
		return 0
	}
	best := 0.0
	for i := max(need, 1); i <= len(hits); i++ {
		best = max(best, float64(i)/float64(hits[i-1]))
	}
	return best
}
