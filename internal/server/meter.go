package server

import (
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
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
	m := &meters{
		registry: prometheus.NewRegistry(),
		requests: prometheus.NewCounterVec(
			prometheus.CounterOpts{Name: "assay_http_requests_total", Help: "Requests by route, method and status."},
			[]string{"route", "method", "status"},
		),
		took: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "assay_http_request_duration_seconds", Help: "How long requests took, by route.",
			// From reading one row to a question for a slow model.
			Buckets: []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30, 120},
		}, []string{"route"}),
		inFlight: prometheus.NewGauge(prometheus.GaugeOpts{Name: "assay_http_requests_in_flight", Help: "Requests that are being answered."}),
		streams:  prometheus.NewGauge(prometheus.GaugeOpts{Name: "assay_event_streams", Help: "Streams of events that are open."}),
		failures: prometheus.NewCounter(
			prometheus.CounterOpts{Name: "assay_errors_total", Help: "Failures of the store and defects: replies with a status of 500."},
		),
		cases: prometheus.NewCounterVec(
			prometheus.CounterOpts{Name: "assay_cases_total", Help: "Cases that were evaluated, by status."}, []string{"status"},
		),
		calls: prometheus.NewCounterVec(
			prometheus.CounterOpts{Name: "assay_judge_calls_total", Help: "Replies of judging models, by where they came from."},
			[]string{"from"},
		),
		tokens: prometheus.NewCounterVec(
			prometheus.CounterOpts{Name: "assay_judge_tokens_total", Help: "Tokens of judging models."}, []string{"direction"},
		),
		cost: prometheus.NewCounter(
			prometheus.CounterOpts{Name: "assay_judge_cost_usd_total", Help: "What judging models cost, in US dollars."},
		),
		spans: prometheus.NewCounter(prometheus.CounterOpts{Name: "assay_spans_total", Help: "Spans that were received and stored."}),
		redacted: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "assay_spans_redacted_total", Help: "What was replaced or dropped in received spans, by rule.",
		}, []string{"rule"}),
	}
	m.registry.MustRegister(m.requests, m.took, m.inFlight, m.streams, m.failures, m.cases, m.calls, m.tokens, m.cost, m.spans, m.redacted,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	for l, name := range names {
		what := strings.ToUpper(name[:1]) + name[1:] + "s"
		m.ended[l] = prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "assay_" + name + "s_total", Help: what + " that ended, by the state in which they did.",
		}, []string{"state"})
		m.going[l] = prometheus.NewGaugeVec(
			prometheus.GaugeOpts{Name: "assay_" + name + "s", Help: what + " that go on, by state."}, []string{"state"},
		)
		m.registry.MustRegister(m.ended[l], m.going[l])
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
