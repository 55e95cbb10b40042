package server

import (
	"context"
	"math"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/assay-eval/assay/metric"
	"github.com/assay-eval/assay/metric/catalog"
)

// A metricView is a metric of the catalogue.
type metricView struct {
	Name    string   `json:"name"`
	Title   string   `json:"title"`
	Group   string   `json:"group"`
	Doc     string   `json:"doc"`
	Formula string   `json:"formula"`
	Edges   string   `json:"edges"`
	Source  string   `json:"source"`
	Unit    string   `json:"unit,omitempty"`
	Better  string   `json:"better"`
	Lowest  float64  `json:"lowest"`
	Highest *float64 `json:"highest" required:"true" doc:"null when unbounded"`
	Needs   []string `json:"needs" nullable:"false" doc:"labels that a case needs"`
	Reads   []string `json:"reads" nullable:"false" doc:"parts of a response that it reads"`
	Judged  bool     `json:"judged" doc:"whether a judge is asked"`
	Embeds  bool     `json:"embeds"`
	Pooled  bool     `json:"pooled"`
	// Estimate marks a formula that replaces a judgement.
	Estimate bool              `json:"estimate"`
	Cutoff   string            `json:"cutoff" enum:"none,optional,required" doc:"whether the name takes @k"`
	Params   []metricParamView `json:"params" nullable:"false"`
	Version  int               `json:"version"`
}

type metricParamView struct {
	Name    string   `json:"name"`
	Doc     string   `json:"doc"`
	Default string   `json:"default"`
	Values  []string `json:"values,omitempty" nullable:"false"`
	Min     *float64 `json:"min,omitempty"`
	Max     *float64 `json:"max,omitempty"`
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

func (s *Server) metrics(api huma.API) {
	huma.Register(api,
		operation("catalogue", http.MethodGet, "/metrics", "list-metrics", "List the metrics with formula, edge cases and source"),
		func(_ context.Context, in *struct {
			Paging
			Group string `query:"group" maxLength:"64" doc:"only metrics of this group"`
		}) (*list[metricView], error) {
			views := []metricView{}
			for _, d := range catalog.All().Defs() {
				if in.Group == "" || string(d.Group) == in.Group {
					views = append(views, metricOf(d))
				}
			}
			return cut(views, in.Paging), nil
		})
}
