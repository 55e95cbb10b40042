package server

import (
	"context"
	"errors"
	"net/http"
	"slices"

	"github.com/danielgtaylor/huma/v2"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/web"
	"github.com/assay-eval/assay/internal/wire"
)

type trendInput struct {
	Metric  string `query:"metric" required:"true" minLength:"1" maxLength:"256" doc:"name of the metric"`
	Dataset string `query:"dataset" maxLength:"1000" doc:"only runs over the dataset of this name, or of a file of this name"`
	Target  string `query:"target" maxLength:"1000" doc:"only runs of this kind of target, such as http, or at this address"`
	Name    string `query:"name" maxLength:"128" doc:"only runs of this name"`
	By      string `query:"by" enum:"name,target" default:"name" doc:"whether runs of one target with different names can be compared (target) or not (name)"`
	Limit   int    `query:"limit" minimum:"1" maximum:"500" default:"100" doc:"how many of the latest runs to give at most"`
}

type frontierInput struct {
	Dataset string `query:"dataset" maxLength:"1000" doc:"name of the dataset or of its file; that of the latest run if there is none"`
	X       string `query:"x" enum:"cost,latency" doc:"what quality is set against; cost if it is known for any target, else latency"`
	Y       string `query:"y" maxLength:"256" doc:"name of the metric; the leading one of the latest run if there is none"`
}

func (s *Server) trends() {
	registerOne(s, operation("runs", http.MethodGet, "/trends", "get-trend", "Get a metric over time",
		says("The mean of a metric in each of the latest finished runs, how far runs differ while nothing changes, and where the "+
			"level of the metric changed. Runs that cannot be compared are in different series. A change is found from the means of "+
			"the runs; GET /compare compares two runs case by case.")),
		func(ctx context.Context, in *trendInput) (wire.Trend, error) {
			return s.trend(ctx, web.TrendQuery{
				Metric: in.Metric, Dataset: in.Dataset, Target: in.Target, Name: in.Name, ByTarget: in.By == "target", Limit: in.Limit,
			})
		})
	registerOne(s, operation("runs", http.MethodGet, "/frontier", "get-frontier", "Get quality against cost or latency",
		says("The latest run of each target over a dataset. A target is an adapter, an address and the name of its runs. They "+
			"are ranked as GET /compare ranks these runs, the earliest as the baseline and y as the primary metric.")),
		func(ctx context.Context, in *frontierInput) (wire.Frontier, error) {
			return s.frontier(ctx, in.Dataset, in.X, in.Y)
		})
}

// trendPage is the number of runs whose means a trend reads at once.
const trendPage = 500

// trend returns the trend of a metric.
func (s *Server) trend(ctx context.Context, q web.TrendQuery) (out wire.Trend, _ error) {
	all, err := s.finished(ctx)
	if err != nil {
		return out, err
	}
	if q.Dataset, err = named(all, q.Dataset, q.Metric, "query.metric"); err != nil {
		return out, err
	}
	all = slices.DeleteFunc(all, func(h assay.Header) bool { return !q.Takes(h) })
	var runs []assay.Header
	var means []wire.Means
	for len(all) > 0 && len(runs) < q.Limit {
		n := min(len(all), trendPage, q.Limit-len(runs))
		some, err := s.meansOf(ctx, all[:n])
		if err != nil {
			return out, err
		}
		for i, m := range some {
			if _, ok := m.Of(q.Metric); ok {
				runs, means = append(runs, all[i]), append(means, m)
			}
		}
		all = all[n:]
	}
	slices.Reverse(runs)
	slices.Reverse(means)
	return wire.TrendOf(q.Metric, !q.ByTarget, runs, means), nil
}

// named returns the name in headers of the dataset that a request names. The error is a problem if
// there are finished runs and none is over it, or none has the metric.
func named(runs []assay.Header, dataset, metric, metricAt string) (string, error) {
	var metrics []assay.MetricInfo
	var datasets []string
	for _, h := range runs {
		metrics, datasets = append(metrics, h.Metrics...), append(datasets, h.Dataset.Name)
	}
	if err := web.Measured(metric, metrics); err != nil {
		return "", wrong(metricAt, err.Error(), metric)
	}
	name := wire.DatasetNamed(runs, dataset)
	if err := web.Known("dataset", name, datasets); err != nil {
		return "", wrong("query.dataset", err.Error(), dataset)
	}
	return name, nil
}

// frontier returns the latest runs of the targets over a dataset. Parameters that are "" are
// those of the latest run.
func (s *Server) frontier(ctx context.Context, dataset, axis, metric string) (out wire.Frontier, _ error) {
	all, err := s.finished(ctx)
	if err != nil {
		return out, err
	}
	if dataset, err = named(all, dataset, metric, "query.y"); err != nil {
		return out, err
	}
	if at := slices.IndexFunc(all, func(h assay.Header) bool { return dataset == "" || h.Dataset.Name == dataset }); at >= 0 {
		dataset = all[at].Dataset.Name
		if m, ok := wire.LeadingMetric(all[at]); ok && metric == "" {
			metric = m.Name
		}
	}
	all = slices.DeleteFunc(all, func(h assay.Header) bool {
		_, has := wire.MetricOf(h, metric)
		return !has || h.Dataset.Name != dataset
	})
	latest, elsewhere, more := wire.LatestOfTargets(all, metric)
	means, err := s.meansOf(ctx, latest)
	if err != nil {
		return out, err
	}
	out = wire.FrontierOf(metric, axis, latest, means)
	out.Elsewhere, out.More = elsewhere, more
	var shown []assay.Header
	for _, h := range slices.Backward(latest) { // the baseline is the earliest
		if slices.ContainsFunc(out.Spots, func(spot wire.FrontierSpot) bool { return spot.Run == h.ID }) {
			if h, err = s.header(ctx, h.ID); err != nil {
				return out, err
			}
			shown, out.Runs = append(shown, h), append(out.Runs, h.ID)
		}
	}
	if len(shown) < 2 {
		return out, nil
	}
	c, err := s.compared(ctx, shown, Compared{Primary: metric, alone: true})
	if refused := huma.StatusError(nil); errors.As(err, &refused) && refused.GetStatus() == http.StatusConflict {
		out.Unranked, err = refused.Error(), nil
	} else if err == nil {
		out.Rank(c.Comparison)
	}
	return out, err
}
