package retrieval

import (
	"math"

	"github.com/assay-eval/assay/metric"
)

// InterpolatedPrecision is the highest precision at or beyond a level of recall.
var InterpolatedPrecision = documents(metric.Def{
	Name:  "interpolated_precision",
	Title: "Interpolated precision",
	Doc:   "The best precision that a reader can have who wants at least the given share of the relevant documents.",
	Formula: "max over ranks where at least round(recall · R) relevant documents were found of (found / rank), R " +
		"= documents judged relevant",
	Edges:  "0 if the share is never reached. " + notMeasured,
	Source: "trec_eval iprec_at_recall",
	Params: []metric.Param{
		{Name: "recall", Doc: "the share of the relevant documents that must be found", Default: "0.5", Min: 0, Max: 1},
		levelParam,
	},
}, func(p metric.Params) Formula {
	recall := p.Number("recall")
	return binary(func(r *Ranking, _, level int) float64 { return r.InterpolatedPrecision(recall, level) })(p)
})

// InterpolatedPrecision returns the highest precision at or below the rank at which
// the given share of the relevant documents is found; 0 if it is not found.
func (r *Ranking) InterpolatedPrecision(recall float64, level int) float64 {
	hits := r.Hits(level)
	// Round as trec_eval 10 does; version 9 added 0.9 and truncated.
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

// ElevenPointAverage is interpolated precision averaged over eleven levels of recall.
var ElevenPointAverage = documents(metric.Def{
	Name:    "eleven_point_average",
	Title:   "11-point average precision",
	Doc:     "The area under the curve of precision over recall, sampled at eleven levels of recall.",
	Formula: "mean of interpolated_precision at recall 0, 0.1, 0.2 … 1",
	Edges:   "A level of recall that is never reached adds 0. " + notMeasured,
	Source:  "trec_eval 11pt_avg; Salton and McGill 1983",
	Params:  []metric.Param{levelParam},
}, binary(func(r *Ranking, _, level int) float64 { return r.AverageInterpolated(ElevenLevels, level) }))

// ElevenLevels are the levels of recall of the 11-point average.
var ElevenLevels = []float64{0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1}

// AverageInterpolated returns the mean of the interpolated precision at the given
// levels of recall. There must be at least one level.
func (r *Ranking) AverageInterpolated(levels []float64, level int) float64 {
	sum := 0.0
	for _, recall := range levels {
		sum += r.InterpolatedPrecision(recall, level)
	}
	return sum / float64(len(levels))
}
