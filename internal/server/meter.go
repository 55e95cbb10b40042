package server

import (
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promauto"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// meters are the metrics of /metrics.
type meters struct {
	registry *prometheus.Registry
	requests *prometheus.CounterVec
	took     *prometheus.HistogramVec
	inFlight prometheus.Gauge
	streams  prometheus.Gauge
	failures prometheus.Counter
	// ended counts the tasks that ended, going those that go on, by lane.
	ended  [lanes]*prometheus.CounterVec
	going  [lanes]*prometheus.GaugeVec
	cases  *prometheus.CounterVec
	calls  *prometheus.CounterVec
	tokens *prometheus.CounterVec
	cost   prometheus.Counter
	spans  prometheus.Counter
	// redacted counts what was replaced or dropped in spans, by rule.
	redacted *prometheus.CounterVec
}

func newMeters() *meters {
	registry := prometheus.NewRegistry()
	registry.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	auto := promauto.With(registry)
	counters := func(name, help string, labels ...string) *prometheus.CounterVec {
		return auto.NewCounterVec(prometheus.CounterOpts{Name: "assay_" + name + "_total", Help: help}, labels)
	}
	gauges := func(name, help string, labels ...string) *prometheus.GaugeVec {
		return auto.NewGaugeVec(prometheus.GaugeOpts{Name: "assay_" + name, Help: help}, labels)
	}
	m := &meters{
		registry: registry,
		requests: counters("http_requests", "Requests by route, method and status.", "route", "method", "status"),
		took: auto.NewHistogramVec(prometheus.HistogramOpts{
			Name: "assay_http_request_duration_seconds", Help: "How long requests took, by route.",
			// From reading one row to a question for a slow model.
			Buckets: []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30, 120},
		}, []string{"route"}),
		inFlight: gauges("http_requests_in_flight", "Requests that are being answered.").WithLabelValues(),
		streams:  gauges("event_streams", "Streams of events that are open.").WithLabelValues(),
		failures: counters("errors", "Failures of the store and defects: replies with a status of 500.").WithLabelValues(),
		cases:    counters("cases", "Cases that were evaluated, by status.", "status"),
		calls:    counters("judge_calls", "Replies of judging models, by where they came from.", "from"),
		tokens:   counters("judge_tokens", "Tokens of judging models.", "direction"),
		cost:     counters("judge_cost_usd", "What judging models cost, in US dollars.").WithLabelValues(),
		spans:    counters("spans", "Spans that were received. One that is sent twice counts twice, and is stored once.").WithLabelValues(),
		redacted: counters("spans_redacted", "What was replaced or dropped in received spans, by rule.", "rule"),
	}
	for l, name := range names {
		what := strings.ToUpper(name[:1]) + name[1:] + "s"
		m.ended[l] = counters(name+"s", what+" that ended, by the state in which they did.", "state")
		m.going[l] = gauges(name+"s", what+" that go on, by state.", "state")
		for _, state := range []string{stateQueued, stateRunning} {
			m.going[l].WithLabelValues(state)
		}
	}
	return m
}

func (m *meters) request(route, method string, status int, took time.Duration) {
	m.requests.WithLabelValues(route, method, strconv.Itoa(status)).Inc()
	m.took.WithLabelValues(route).Observe(took.Seconds())
}

// page writes the metrics in the format of Prometheus.
func (m *meters) page() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{})
}
