package server

import (
	"context"
	"math"

	"github.com/assay-eval/assay/metric"
	"github.com/assay-eval/assay/metric/catalog"
)

// A metricView is a metric of the catalogue.
type metricView struct {
	Name    string   `json:"name" doc:"name of the metric" example:"ndcg"`
	Title   string   `json:"title" doc:"name in reports" example:"nDCG"`
	Group   string   `json:"group" doc:"heading of the list of metrics" example:"retrieval"`
	Doc     string   `json:"doc" doc:"what it measures" example:"How close the ranking is to the best possible one."`
	Formula string   `json:"formula" doc:"its definition" example:"DCG@k / DCG@k of the ideal ranking"`
	Edges   string   `json:"edges" doc:"what the formula does not cover" example:"Not applicable if no document is judged relevant."`
	Source  string   `json:"source" doc:"paper or tool that it follows" example:"Järvelin and Kekäläinen, TOIS 2002"`
	Unit    string   `json:"unit,omitempty" doc:"unit of its values; absent for a ratio" example:"points"`
	Better  string   `json:"better" enum:"higher,lower" doc:"which values are better"`
	Lowest  float64  `json:"lowest" doc:"smallest value" example:"0"`
	Highest *float64 `json:"highest" required:"true" doc:"null when unbounded" example:"1"`
	Needs   []string `json:"needs" nullable:"false" doc:"labels that a case needs" example:"expected documents"`
	Reads   []string `json:"reads" nullable:"false" doc:"parts of a response that it reads" example:"the passages"`
	Judged  bool     `json:"judged" doc:"whether a judge is asked"`
	Embeds  bool     `json:"embeds" doc:"whether an embedder is used"`
	Pooled  bool     `json:"pooled" doc:"whether the counts of cases are added up, in place of a mean of ratios"`
	// Estimate marks a formula that replaces a judgement.
	Estimate bool              `json:"estimate" doc:"whether a formula stands in for a judgement"`
	Cutoff   string            `json:"cutoff" enum:"none,optional,required" doc:"whether the name takes @k"`
	Params   []metricParamView `json:"params" nullable:"false" doc:"parameters that the name may have in parentheses"`
	Version  int               `json:"version" doc:"counts the changes of its results" example:"1"`
}

type metricParamView struct {
	Name    string   `json:"name" doc:"name of the parameter" example:"gain"`
	Doc     string   `json:"doc" doc:"what it means" example:"what a grade is worth"`
	Default string   `json:"default" doc:"value if it is left out" example:"linear"`
	Values  []string `json:"values,omitempty" nullable:"false" doc:"its values; absent for a number" example:"linear,exponential"`
	Min     *float64 `json:"min,omitempty" doc:"smallest number; absent for words" example:"0"`
	Max     *float64 `json:"max,omitempty" doc:"largest number; absent for words" example:"1"`
}

func metricOf(d *metric.Def) metricView {
	v := metricView{
		Name: d.Name, Title: d.Title, Group: string(d.Group), Doc: d.Doc, Formula: d.Formula, Edges: d.Edges, Source: d.Source,
		Unit: d.Unit, Better: d.Better.String(),
		Lowest: d.Range[0], Needs: append([]string{}, d.Needs.Names()...), Reads: append([]string{}, d.Reads.Names()...),
		Judged: len(d.Asks) > 0, Embeds: d.Embeds, Pooled: d.Pooled, Estimate: d.Estimate, Version: d.Version,
		Params: []metricParamView{}, Cutoff: "none",
	}
	if d.Range[1] != math.MaxFloat64 {
		v.Highest = &d.Range[1]
	}
	switch d.Cutoff {
	case metric.OptionalCutoff:
		v.Cutoff = "optional"
	case metric.RequiredCutoff:
		v.Cutoff = "required"
	}
	for _, p := range d.Params {
		view := metricParamView{Name: p.Name, Doc: p.Doc, Default: p.Default, Values: p.Values}
		if p.Values == nil {
			view.Min, view.Max = &p.Min, &p.Max
		}
		v.Params = append(v.Params, view)
	}
	return v
}

func (s *Server) metrics() {
	registerList(s, "list-metrics", func(_ context.Context, in *struct {
		Paging
		Group string `query:"group" maxLength:"64" doc:"only metrics of this group"`
	}) (views []metricView, _ error) {
		for _, d := range catalog.All().Defs() {
			if in.Group == "" || string(d.Group) == in.Group {
				views = append(views, metricOf(d))
			}
		}
		return views, nil
	})
}
