package stage

import (
	"context"
	"slices"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/metric"
)

// filters defines a metric of what a filter did with what was retrieved.
func filters(d metric.Def, value func(Kept) assay.Score) *metric.Def {
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
			var k Kept
			for i, p := range before {
				kept := slices.ContainsFunc(after, p.Same)
				switch {
				case r.of[i] && kept:
					k.RelevantIn, k.RelevantOut = k.RelevantIn+1, k.RelevantOut+1
				case r.of[i]:
					k.RelevantIn++
				case kept:
					k.IrrelevantIn, k.IrrelevantOut = k.IrrelevantIn+1, k.IrrelevantOut+1
				default:
					k.IrrelevantIn++
				}
			}
			return value(k), nil
		}
	}
	return define(d)
}
