package server

import (
	"cmp"
	"slices"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/wire"
)

type facetsInput struct {
	RunPath
	CaseFilter
}

// facetsView counts cases by what they can be selected by.
type facetsView struct {
	Cases    int           `json:"cases" doc:"number of the cases that are counted" example:"500"`
	Statuses []facetCount  `json:"statuses" nullable:"false" doc:"by status, the most frequent first"`
	Answers  []facetCount  `json:"answers" nullable:"false" doc:"by whether the case is right"`
	Stages   []facetCount  `json:"stages" nullable:"false" doc:"by the stage of a wrong answer, in the order of the pipeline"`
	Tags     []facetCount  `json:"tags" nullable:"false" doc:"by tag, the most frequent first; a case may have several"`
	Metrics  []metricFacet `json:"metrics" nullable:"false" doc:"the metrics of the run"`
}

// A facetCount is the number of cases with a value.
type facetCount struct {
	Value string `json:"value" doc:"the status, stage or tag" example:"retrieve"`
	N     int    `json:"n" doc:"number of cases" example:"40"`
}

// A metricFacet counts the values of a metric.
type metricFacet struct {
	Metric string  `json:"metric" doc:"name of the metric" example:"mrr"`
	N      int     `json:"n" doc:"number of cases with a value; a failed target has the worst if more is better" example:"498"`
	Low    float64 `json:"low" doc:"lower bound of the first bin" example:"0"`
	High   float64 `json:"high" doc:"upper bound of the last bin, which includes it" example:"1"`
	Bins   []int   `json:"bins" nullable:"false" doc:"number of values in each of twenty equal parts between the bounds" example:"[3,0,12]"`
}

func facetsOf(chosen *wire.CaseList, f wire.Facets) facetsView {
	out := facetsView{
		Cases: chosen.Selected, Statuses: countsOf(f.Status), Answers: countsOf(f.Answers), Stages: countsOf(f.Stages),
		Tags: countsOf(f.Tags), Metrics: []metricFacet{},
	}
	slices.SortFunc(out.Stages, func(a, b facetCount) int { return assay.CompareStages(a.Value, b.Value) })
	for _, m := range f.Metrics {
		out.Metrics = append(out.Metrics, metricFacet{m.Name, m.N, m.Low, m.High, m.Bins[:]})
	}
	return out
}

// countsOf returns counts, the largest first.
func countsOf[K ~string](counts map[K]int) []facetCount {
	out := []facetCount{}
	for value, n := range counts {
		out = append(out, facetCount{string(value), n})
	}
	slices.SortFunc(out, func(a, b facetCount) int { return cmp.Or(b.N-a.N, cmp.Compare(a.Value, b.Value)) })
	return out
}
