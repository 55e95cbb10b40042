package server

import (
	"context"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/assay-eval/assay/watch"
)

// A watchMeter collects the metrics of the watches in the store, whichever processes carry them
// out. It looks at the store for each request of /metrics. If the store cannot be read, these
// metrics are missing and the others are not.
type watchMeter struct{ s *Server }

// A watchGauge is a metric of a [watchMeter].
type watchGauge struct {
	desc *prometheus.Desc
	kind prometheus.ValueType
	// values calls add with each value and its labels after that of the watch.
	values func(st *watch.State, running bool, add func(value float64, labels ...string))
}

func newWatchGauge(
	name, help string, kind prometheus.ValueType, labels []string, values func(*watch.State, bool, func(float64, ...string)),
) watchGauge {
	return watchGauge{prometheus.NewDesc(name, help, append([]string{"watch"}, labels...), nil), kind, values}
}

// ofSeries are values of series. ok is false for one without the value.
func ofSeries(value func(st *watch.State, one *watch.Series) (v float64, ok bool)) func(*watch.State, bool, func(float64, ...string)) {
	return func(st *watch.State, _ bool, add func(float64, ...string)) {
		for _, one := range st.Series {
			if v, ok := value(st, one); ok {
				add(v, one.Metric.Name, one.Stratum)
			}
		}
	}
}

// truth is 1 or 0.
func truth(is bool) float64 {
	if is {
		return 1
	}
	return 0
}

var perSeries = []string{"metric", "kind"}

// watchGauges lists the metrics of a watch.
var watchGauges = []watchGauge{
	newWatchGauge("assay_watch_score", "Mean of a metric over the judged exchanges of a kind, since the last alarm or recovery.",
		prometheus.GaugeValue, perSeries, ofSeries(func(st *watch.State, one *watch.Series) (float64, bool) {
			mean, _, ok := one.Estimate(st.Settings.Level)
			return mean, ok
		})),
	newWatchGauge("assay_watch_score_lower", "Lower bound of assay_watch_score, which holds at all times.",
		prometheus.GaugeValue, perSeries, ofSeries(func(st *watch.State, one *watch.Series) (float64, bool) {
			_, ci, ok := one.Estimate(st.Settings.Level)
			return ci.Lo, ok
		})),
	newWatchGauge("assay_watch_score_upper", "Upper bound of assay_watch_score, which holds at all times.",
		prometheus.GaugeValue, perSeries, ofSeries(func(st *watch.State, one *watch.Series) (float64, bool) {
			_, ci, ok := one.Estimate(st.Settings.Level)
			return ci.Hi, ok
		})),
	newWatchGauge("assay_watch_line", "What the mean should not get worse than; missing while it is learned.",
		prometheus.GaugeValue, perSeries, ofSeries(func(_ *watch.State, one *watch.Series) (float64, bool) {
			if one.Line == nil {
				return 0, false
			}
			return one.Value(one.Line.At), true
		})),
	newWatchGauge("assay_watch_worse", "1 from the alarm that a metric is worse than its line to its recovery, else 0.",
		prometheus.GaugeValue, perSeries, ofSeries(func(_ *watch.State, one *watch.Series) (float64, bool) { return truth(one.Worse), true })),
	newWatchGauge("assay_watch_exchanges_total", "Sampled exchanges by what became of them: judged; failed, which are judged as failures "+
		"of the system; skipped, since a round was full or the budget spent; unread, without a question or anything to score.",
		prometheus.CounterValue, []string{"outcome"}, func(st *watch.State, _ bool, add func(float64, ...string)) {
			add(float64(st.Total.Judged-st.Total.Failed), "judged")
			add(float64(st.Total.Failed), "failed")
			add(float64(st.Total.Skipped), "skipped")
			add(float64(st.Total.Unread), "unread")
		}),
	newWatchGauge("assay_watch_cost_usd_total", "What judging cost, in US dollars.", prometheus.CounterValue, nil,
		func(st *watch.State, _ bool, add func(float64, ...string)) { add(dollars(st.Total.Cost)) }),
	newWatchGauge("assay_watch_updated_timestamp_seconds", "When the process of the watch last wrote what it knows.",
		prometheus.GaugeValue, nil, func(st *watch.State, _ bool, add func(float64, ...string)) {
			add(float64(st.Updated.UnixMilli()) / 1000)
		}),
	newWatchGauge("assay_watch_running", "1 while a process carries the watch out, else 0.", prometheus.GaugeValue, nil,
		func(_ *watch.State, running bool, add func(float64, ...string)) { add(truth(running)) }),
	newWatchGauge("assay_watch_trouble", "1 if the last round could not be judged, else 0.", prometheus.GaugeValue, nil,
		func(st *watch.State, _ bool, add func(float64, ...string)) { add(truth(st.Trouble != "")) }),
}

// Describe implements [prometheus.Collector].
func (m watchMeter) Describe(to chan<- *prometheus.Desc) {
	for _, g := range watchGauges {
		to <- g.desc
	}
}

// Collect implements [prometheus.Collector].
func (m watchMeter) Collect(to chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), readyWait)
	defer cancel()
	states, running, err := m.s.allWatches(ctx)
	if err != nil {
		m.s.meters.failures.Inc()
		m.s.log.ErrorContext(ctx, "the metrics of the watches are missing", "error", err)
		return
	}
	for i, st := range states {
		for _, g := range watchGauges {
			g.values(st, running[i], func(value float64, labels ...string) {
				to <- prometheus.MustNewConstMetric(g.desc, g.kind, value, append([]string{st.Name}, labels...)...)
			})
		}
	}
}
