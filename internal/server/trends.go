package server

import (
	"context"
	"slices"

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

func (s *Server) trends() {
	registerOne(s, "get-trend", func(ctx context.Context, in *trendInput) (wire.Trend, error) {
		return pageBackend{s}.Trend(ctx, web.TrendQuery{
			Metric: in.Metric, Dataset: in.Dataset, Target: in.Target, Name: in.Name, ByTarget: in.By == "target", Limit: in.Limit,
		})
	})
}

// trendPage is the number of runs whose means a trend reads at once.
const trendPage = 500

// Finished implements [web.TrendBackend].
func (b pageBackend) Finished(ctx context.Context) ([]assay.Header, error) {
	all, err := b.s.heads.all(ctx, b.s.store)
	var out []assay.Header
	for _, r := range all {
		if r.State == stateFinished {
			out = append(out, r.Header)
		}
	}
	return out, err
}

// Trend implements [web.TrendBackend].
func (b pageBackend) Trend(ctx context.Context, q web.TrendQuery) (out wire.Trend, _ error) {
	all, err := b.Finished(ctx)
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
		some, err := b.s.meansOf(ctx, all[:n])
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

// LatestOfTargets implements [web.TrendBackend]. An estimate ranks nothing unless it is asked for.
func (b pageBackend) LatestOfTargets(ctx context.Context, dataset, metric string) (runs []string, primary string, _ error) {
	all, err := b.Finished(ctx)
	if err != nil {
		return nil, "", err
	}
	if dataset, err = named(all, dataset, metric, "query.y"); err != nil {
		return nil, "", err
	}
	if primary = metric; len(all) > 0 && dataset == "" {
		dataset = all[0].Dataset.Name
	}
	all = slices.DeleteFunc(all, func(h assay.Header) bool { return h.Dataset.Name != dataset })
	if len(all) > 0 && metric == "" {
		m, _ := wire.LeadingMetric(all[0])
		if metric = m.Name; !m.Estimate {
			primary = metric
		}
	}
	all = slices.DeleteFunc(all, func(h assay.Header) bool {
		_, has := wire.MetricOf(h, metric)
		return !has
	})
	for _, h := range slices.Backward(wire.LatestOfTargets(all, metric, web.MaxCompared)) {
		runs = append(runs, h.ID)
	}
	return runs, primary, nil
}
