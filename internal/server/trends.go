package server

import (
	"context"
	"net/http"
	"slices"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/wire"
	"github.com/assay-eval/assay/store"
)

type trendInput struct {
	Metric  string `query:"metric" required:"true" minLength:"1" maxLength:"256" doc:"name of the metric"`
	Dataset string `query:"dataset" maxLength:"1000" doc:"only runs over the dataset of this name"`
	Target  string `query:"target" maxLength:"1000" doc:"only runs of this kind of target, such as http"`
	Name    string `query:"name" maxLength:"128" doc:"only runs of this name"`
	Limit   int    `query:"limit" minimum:"1" maximum:"500" default:"100" doc:"how many of the latest runs to give at most"`
}

// A trend is a metric over time.
type trend struct {
	Metric string       `json:"metric" doc:"name of the metric" example:"recall@5"`
	Points []trendPoint `json:"points" nullable:"false" doc:"the finished runs with a mean of the metric, earliest first"`
}

// A trendPoint is a run in a trend.
type trendPoint struct {
	Run     string    `json:"run_id" doc:"id of the run" example:"01990a3e-7c1d-7d2a-9c57-0f3b6f1f2a10"`
	Name    string    `json:"name,omitempty" doc:"name that the run was given" example:"nightly"`
	Started time.Time `json:"started" doc:"start of the run" example:"2026-03-02T09:30:00Z"`
	Dataset string    `json:"dataset" doc:"name of the dataset" example:"rivers.jsonl"`
	// Content differs where means cannot be compared.
	Content string      `json:"dataset_hash" doc:"fingerprint of the dataset; means of other data differ anyway" example:"sha256:9f86d081"`
	Adapter string      `json:"adapter" doc:"kind of the target" example:"http"`
	N       int         `json:"n" doc:"number of cases with a value" example:"500"`
	Mean    float64     `json:"mean" doc:"mean over these" example:"0.781"`
	CI      *[2]float64 `json:"ci" required:"true" doc:"interval of the mean; null if the cases are too few" example:"[0.743, 0.816]"`
}

func (s *Server) trends(api huma.API) {
	huma.Register(api, operation("runs", http.MethodGet, "/trends", "get-trend", "Get a metric over time",
		says("The mean of a metric in each of the latest finished runs.")),
		func(ctx context.Context, in *trendInput) (*one[trend], error) {
			out := trend{Metric: in.Metric, Points: []trendPoint{}}
			q := store.RunQuery{Name: in.Name, State: stateFinished, Limit: trendPage}
			for ; len(out.Points) < in.Limit; q.Offset += trendPage {
				hs, total, err := s.store.RunPage(ctx, q)
				if err != nil {
					return nil, s.fail(ctx, err)
				}
				hs = slices.DeleteFunc(hs, func(h assay.Header) bool { return !in.takes(h) })
				for len(hs) > 0 && len(out.Points) < in.Limit {
					n := min(len(hs), in.Limit-len(out.Points))
					points, err := s.trendPoints(ctx, in.Metric, hs[:n])
					if err != nil {
						return nil, s.fail(ctx, err)
					}
					out.Points, hs = append(out.Points, points...), hs[n:]
				}
				if q.Offset+trendPage >= total {
					break
				}
			}
			slices.Reverse(out.Points)
			return &one[trend]{out}, nil
		})
}

// trendPage is the number of runs that a trend reads at once.
const trendPage = 500

// takes reports whether a run is in the trend.
func (in *trendInput) takes(h assay.Header) bool {
	return (in.Dataset == "" || h.Dataset.Name == in.Dataset) && (in.Target == "" || h.Target.Adapter == in.Target) &&
		slices.ContainsFunc(h.Metrics, func(m assay.MetricInfo) bool { return m.Name == in.Metric })
}

// trendPoints returns the points of runs that have a mean.
func (s *Server) trendPoints(ctx context.Context, metric string, hs []assay.Header) (out []trendPoint, _ error) {
	means, err := s.meansOf(ctx, hs)
	if err != nil {
		return nil, err
	}
	for i, h := range hs {
		at := slices.IndexFunc(means[i].Estimates, func(m wire.MetricMean) bool { return m.Metric == metric && m.Mean != nil })
		if at < 0 {
			continue
		}
		m := means[i].Estimates[at]
		out = append(out, trendPoint{h.ID, h.Name, h.Started, h.Dataset.Name, h.Dataset.Hash, h.Target.Adapter, m.N, *m.Mean, m.CI})
	}
	return out, nil
}
