package server

import (
	"context"

	"github.com/prometheus/client_golang/prometheus"

	workers "github.com/assay-eval/assay/run/queue"
)

// A backlog collects the metrics of what is unfinished in the store: of the runs of all servers
// and command lines, and of the workers' queue. It looks at the store for each request of
// /metrics. If the store cannot be read, these metrics are missing and the others are not.
type backlog struct {
	s    *Server
	view *workers.Viewer
}

func newBacklog(ctx context.Context, s *Server) (*backlog, error) {
	v, err := workers.View(ctx, s.store)
	if err != nil {
		return nil, err
	}
	b := &backlog{s, v}
	return b, s.meters.registry.Register(b)
}

// A gauge is a metric of a [backlog].
type gauge struct {
	desc *prometheus.Desc
	// values calls add with each value and its label, if the metric has one.
	values func(state workers.State, add func(value float64, label ...string))
}

func newGauge(name, help, label string, values func(workers.State, func(float64, ...string))) gauge {
	var labels []string
	if label != "" {
		labels = []string{label}
	}
	return gauge{prometheus.NewDesc(name, help, labels, nil), values}
}

// ofQueue are values of the queue, if the store has one.
func ofQueue(values func(q *workers.Backlog, add func(float64, ...string))) func(workers.State, func(float64, ...string)) {
	return func(state workers.State, add func(float64, ...string)) {
		if state.Queue != nil {
			values(state.Queue, add)
		}
	}
}

// gauges lists the metrics of a backlog.
var gauges = []gauge{
	newGauge("assay_queue_batches", "Batches of cases in the workers' queue, by state.", "state",
		ofQueue(func(q *workers.Backlog, add func(float64, ...string)) {
			add(float64(q.Waiting.Batches), "waiting")
			add(float64(q.Running.Batches), "running")
		})),
	newGauge("assay_queue_cases", "Cases of the batches in the workers' queue, by state.", "state",
		ofQueue(func(q *workers.Backlog, add func(float64, ...string)) {
			add(float64(q.Waiting.Cases), "waiting")
			add(float64(q.Running.Cases), "running")
		})),
	newGauge("assay_queue_lag_seconds", "How long the oldest waiting batch has been in the workers' queue; 0 if none waits.", "",
		ofQueue(func(q *workers.Backlog, add func(float64, ...string)) { add(q.Lag) })),
	newGauge("assay_workers", "Workers by state; those that were killed are absent for a day.", "state",
		func(state workers.State, add func(float64, ...string)) {
			if state.Queue == nil {
				return
			}
			present := 0
			for _, w := range state.Workers {
				if w.Present {
					present++
				}
			}
			add(float64(present), "present")
			add(float64(len(state.Workers)-present), "absent")
		}),
	newGauge("assay_run_budget_left_usd", "What an unfinished run with max-cost may still spend, in US dollars.", "run",
		func(state workers.State, add func(float64, ...string)) {
			for _, r := range state.Runs {
				if r.Budget > 0 {
					add(r.BudgetLeft(), r.ID)
				}
			}
		}),
	newGauge("assay_run_budget_held_usd", "What processes have claimed of the max-cost of an unfinished run and not spent yet, in US dollars.", "run",
		func(state workers.State, add func(float64, ...string)) {
			for _, r := range state.Runs {
				if r.Budget > 0 {
					add(r.Held, r.ID)
				}
			}
		}),
	newGauge("assay_model_calls_in_flight", "Calls to models whose replies are waited for, of all processes that share the limits of the store.", "",
		func(state workers.State, add func(float64, ...string)) {
			if state.Queue != nil {
				add(float64(state.Calls))
			}
		}),
}

// Describe implements [prometheus.Collector].
func (b *backlog) Describe(to chan<- *prometheus.Desc) {
	for _, g := range gauges {
		to <- g.desc
	}
}

// Collect implements [prometheus.Collector].
func (b *backlog) Collect(to chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), readyWait)
	defer cancel()
	state, err := b.view.State(ctx, b.s.now())
	if err != nil {
		b.s.meters.failures.Inc()
		b.s.log.ErrorContext(ctx, "the metrics of the queue are missing", "error", err)
		return
	}
	for _, g := range gauges {
		g.values(state, func(value float64, label ...string) {
			to <- prometheus.MustNewConstMetric(g.desc, prometheus.GaugeValue, value, label...)
		})
	}
}
