package stage

import (
	"slices"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/metric"
)

// FilterKeptRecall is the share of relevant chunks that the filter kept.
var FilterKeptRecall = filters(metric.Def{
	Name:    "filter_kept_recall",
	Title:   "Filter: relevant kept",
	Doc:     "How many of the relevant chunks that were retrieved the filter kept. No later stage can recover what it drops.",
	Formula: "relevant chunks that the filter kept / relevant chunks that were retrieved, pooled over cases",
	Edges:   "Not applicable if nothing relevant was retrieved.",
}, func(relevant, kept bool) (counts, hit bool) { return relevant, kept }, "nothing relevant was retrieved")

// FilterDropRate is the share of irrelevant chunks that the filter dropped.
var FilterDropRate = filters(metric.Def{
	Name:  "filter_drop_rate",
	Title: "Filter: irrelevant dropped",
	Doc: "How many of the irrelevant chunks that were retrieved the filter dropped. " +
		"Read it together with filter_kept_recall: a filter that drops everything scores 1.",
	Formula: "irrelevant chunks that the filter dropped / irrelevant chunks that were retrieved, pooled over cases",
	Edges:   "Not applicable if nothing irrelevant was retrieved.",
}, func(relevant, kept bool) (counts, hit bool) { return !relevant, !kept }, "nothing irrelevant was retrieved")

// filters defines the share of hits among the retrieved passages that count.
func filters(d metric.Def, of func(relevant, kept bool) (counts, hit bool), none string) *metric.Def {
	d.Reads, d.Documents = metric.ReadPassages|metric.ReadTrace, assay.ByPassages
	d.Edges = chunkEdge + d.Edges
	d.Source = "own definition: a filter as a classifier of passages"
	d.Pooled = true
	return define(d, func(in metric.Input, _ metric.Params) assay.Score {
		before, ok := in.Response.StagePassages(assay.StageRetrieve)
		after, filtered := in.Response.StagePassages(assay.StageFilter)
		if !ok || !filtered {
			return assay.None("the trace does not report the input and the output of the filter")
		}
		r, why := judged(in.Case.Want, before)
		if why != "" {
			return assay.None(why)
		}
		hits, n := 0, 0
		for i, p := range before {
			counts, hit := of(r.of[i], slices.ContainsFunc(after, p.Same))
			if counts {
				n++
				if hit {
					hits++
				}
			}
		}
		if n == 0 {
			return assay.None(none)
		}
		return assay.Ratio(float64(hits), float64(n))
	})
}
