package server

import (
	"context"
	"fmt"
	"io"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/store"
	"github.com/assay-eval/assay/summary"
)

// comparedLabels returns the labels that count of the metrics that people labelled in one of the runs, for each metric
// that all runs have. The error is a problem, or one of the store.
func (s *Server) comparedLabels(ctx context.Context, hs []assay.Header) ([]summary.Labels, error) {
	labelled := map[string]bool{}
	for _, h := range hs {
		own, err := s.labelsOfRun(ctx, h)
		if err != nil {
			return nil, err
		}
		for _, l := range own {
			labelled[l.Metric] = true
		}
	}
	var out []summary.Labels
	for _, m := range hs[0].Metrics {
		if !labelled[m.Name] {
			continue
		}
		l, ok, err := s.labelsOfAll(ctx, hs, m.Name)
		if err != nil {
			return nil, err
		}
		if ok {
			out = append(out, l)
		}
	}
	return out, nil
}

// labelsOfAll returns the labels of a metric in all runs; ok is false if a run does not have the metric. Of several
// people, the one with the most labels counts.
func (s *Server) labelsOfAll(ctx context.Context, hs []assay.Header, metric string) (out summary.Labels, ok bool, err error) {
	out.Metric = metric
	for _, h := range hs {
		m, err := runMetric(h, metric, "query.runs")
		if err != nil || h.State == stateRunning {
			return out, false, nil
		}
		counted, err := s.calibrationLabels(ctx, h, m)
		if err != nil {
			return out, false, err
		}
		values := map[string]float64{}
		for _, item := range counted.items {
			for _, l := range item.Labels {
				if l != nil {
					values[item.Case] = *l
					break
				}
			}
		}
		out.Runs = append(out.Runs, summary.RunLabels{Values: values})
	}
	return out, true, nil
}

// labelsIn writes what the labels of the runs are: nothing if they have none, else the versions of all labels, because
// those of other runs with the same answers count, too.
func (s *Server) labelsIn(ctx context.Context, hs []assay.Header, w io.Writer) error {
	some := false
	for _, h := range hs {
		own, _, err := s.store.Items(ctx, store.KindLabel, store.ItemQuery{Parent: h.ID, Limit: 1})
		if err != nil {
			return err
		}
		some = some || len(own) > 0
	}
	if !some {
		return nil
	}
	all, _, err := s.store.Items(ctx, store.KindLabel, store.ItemQuery{})
	if err != nil {
		return err
	}
	for _, it := range all {
		fmt.Fprintf(w, "label %s %s\n", it.ID, it.Updated)
	}
	return nil
}
