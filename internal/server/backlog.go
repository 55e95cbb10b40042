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

// The metrics of a [backlog].
var (
	queueBatches = gaugeOf("queue_batches", "Batches of cases in the workers' queue, by state.", "state")
	queueCases   = gaugeOf("queue_cases", "Cases of the batches in the workers' queue, by state.", "state")
	queueLag     = gaugeOf("queue_lag_seconds", "How long the oldest waiting batch has been in the workers' queue; 0 if none waits.")
	workersOf    = gaugeOf("workers", "Workers by state; those that were killed are absent for a day.", "state")
	budgetLeft   = gaugeOf("run_budget_left_usd", "What a running or queued run with max-cost may still spend, in US dollars.", "run")
	budgetHeld   = gaugeOf("run_budget_held_usd",
		"What processes have claimed of the max-cost of a running or queued run and not spent yet, in US dollars.", "run")
)

func gaugeOf(name, help string, labels ...string) *prometheus.Desc {
	return prometheus.NewDesc("assay_"+name, help, labels, nil)
}

// Describe implements [prometheus.Collector].
func (b *backlog) Describe(to chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{queueBatches, queueCases, queueLag, workersOf, budgetLeft, budgetHeld} {
		to <- d
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
	add := func(d *prometheus.Desc, value float64, label ...string) {
		to <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, value, label...)
	}
	for _, r := range state.Runs {
		if r.Budget > 0 {
			add(budgetLeft, r.BudgetLeft(), r.ID)
			add(budgetHeld, r.Held, r.ID)
		}
	}
	q := state.Queue
	if q == nil {
		return
	}
	add(queueBatches, float64(q.Waiting.Batches), "waiting")
	add(queueBatches, float64(q.Running.Batches), "running")
	add(queueCases, float64(q.Waiting.Cases), "waiting")
	add(queueCases, float64(q.Running.Cases), "running")
	add(queueLag, q.Lag)
	present := 0
	for _, w := range state.Workers {
		if w.Present {
			present++
		}
	}
	add(workersOf, float64(present), "present")
	add(workersOf, float64(len(state.Workers)-present), "absent")
}
