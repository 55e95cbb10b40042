package retrieval

import "github.com/assay-eval/assay/metric"

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

// AverageInterpolated is the mean of the interpolated precision at levels of
// recall, of which there must be at least one.
func (r *Ranking) AverageInterpolated(levels []float64, level int) float64 {
	sum := 0.0
	for _, recall := range levels {
		sum += r.InterpolatedPrecision(recall, level)
	}
	return sum / float64(len(levels))
}
