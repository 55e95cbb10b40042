package stage

import (
	"context"
	"slices"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/metric"
)

// A sifting counts the relevant and the irrelevant passages that went into a
// filter and came out of it.
type sifting struct{ relevantIn, relevantOut, irrelevantIn, irrelevantOut int }

// filters defines a metric of what a filter did with what was retrieved.
func filters(d metric.Def, value func(sifting) assay.Score) *metric.Def {
	d.Reads = metric.ReadPassages | metric.ReadTrace
	d.Edges = chunkEdge + d.Edges
	d.Source = "own definition: a filter as a classifier of passages"
	d.Pooled = true
	d.New = func(metric.Params) metric.Func {
		return func(_ context.Context, in metric.Input) (assay.Score, error) {
			before, ok := in.Response.StagePassages(assay.StageRetrieve)
			after, filtered := in.Response.StagePassages(assay.StageFilter)
			if !ok || !filtered {
				return assay.None("the trace does not tell what went into the filter and what came out"), nil
			}
			r, why := judged(in.Case.Want, before)
			if why != "" {
				return assay.None(why), nil
			}
			var k sifting
			for i, p := range before {
				kept := slices.ContainsFunc(after, p.Same)
				switch {
				case r.of[i] && kept:
					k.relevantIn, k.relevantOut = k.relevantIn+1, k.relevantOut+1
				case r.of[i]:
					k.relevantIn++
				case kept:
					k.irrelevantIn, k.irrelevantOut = k.irrelevantIn+1, k.irrelevantOut+1
				default:
					k.irrelevantIn++
				}
			}
			return value(k), nil
		}
	}
	return define(d)
}
