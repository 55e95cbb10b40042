package report

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/assay-eval/assay/gate"
	"github.com/assay-eval/assay/summary"
)

var prometheusFormat = Format{
	Name: "prometheus", Ext: ".prom", Media: "text/plain; version=0.0.4; charset=utf-8",
	Doc:   "the estimates as gauges, for the textfile collector of node_exporter",
	Write: Prometheus,
}

// A gauge is one family of samples in the Prometheus text format.
type gauge struct {
	name, help string
	// value returns the sample of a metric; ok is false if there is none.
	value func(r *Report, m summary.Metric) (v float64, ok bool)
}

// gauges lists the samples of every metric.
var gauges = []gauge{
	{"assay_metric_mean", "Mean of the metric over the cases.", func(_ *Report, m summary.Metric) (float64, bool) { return m.Mean, m.N > 0 }},
	{"assay_metric_interval_low", "Lower end of the confidence interval of the mean.", func(_ *Report, m summary.Metric) (float64, bool) {
		if m.N == 0 || m.CI == nil {
			return 0, false
		}
		return m.CI.Lo, true
	}},
	{"assay_metric_interval_high", "Upper end of the confidence interval of the mean.", func(_ *Report, m summary.Metric) (float64, bool) {
		if m.N == 0 || m.CI == nil {
			return 0, false
		}
		return m.CI.Hi, true
	}},
	{"assay_metric_cases", "Cases with a score of the metric.", func(_ *Report, m summary.Metric) (float64,
		bool) {
		return float64(m.N), true
	}},
	{"assay_metric_unscored_cases", "Cases that the metric applies to and has no score for.", func(_ *Report,
		m summary.Metric) (float64, bool) {
		return float64(m.Failed), true
	}},
	{"assay_metric_threshold_verdict", "Verdict on the metric's threshold: 1 pass, 0 fail, -1 inconclusive.", func(r *Report,
		m summary.Metric) (float64, bool) {
		v := r.ruling(m)
		if v == nil {
			return 0, false
		}
		return verdictNumber(v.Verdict), true
	}},
}

func verdictNumber(v gate.Verdict) float64 {
	switch v {
	case gate.Pass:
		return 1
	case gate.Fail:
		return 0
	}
	return -1
}

// Prometheus writes the estimates of the run in version 0.0.4 of the Prometheus text
// format: gauges with the labels run, dataset and metric, and estimate="true" for estimates by formula. Samples without a value,
// such as the interval of a metric that has none, are left out. No label has an id, so
// each series continues from run to run.
func Prometheus(w io.Writer, r *Report, _ Options) error {
	out := bufio.NewWriter(w)
	labels := fmt.Sprintf(`run="%s",dataset="%s"`, labelValue(r.Header.Name), labelValue(r.Header.Dataset.Name))
	head := func(name, help string) { fmt.Fprintf(out, "# HELP %s %s\n# TYPE %s gauge\n", name, help, name) }
	sample := func(name, labels string, v float64) {
		fmt.Fprintf(out, "%s{%s} %s\n", name, labels, strconv.FormatFloat(v, 'g', -1, 64))
	}
	for _, g := range gauges {
		head(g.name, g.help)
		for _, m := range estimates(r.Summary.Metrics) {
			if v, ok := g.value(r, m); ok {
				of := labels + `,metric="` + labelValue(m.Name) + `"`
				if m.MetricInfo.Estimate {
					of += `,estimate="true"`
				}
				sample(g.name, of, v)
			}
		}
	}
	s := r.Summary
	for _, one := range []struct {
		name, help string
		v          float64
	}{
		{"assay_run_cases", "Cases of the run.", float64(s.Cases)},
		{"assay_run_failed_cases", "Cases below a threshold.", float64(s.Failed)},
		{"assay_run_error_cases", "Cases in which the target gave no response.", float64(s.Errors)},
		{"assay_run_critical_cases", "Critical cases.", float64(s.Critical)},
		{"assay_run_critical_failed_cases", "Critical cases that failed.", float64(s.CriticalFailed)},
		{"assay_run_critical_unchecked_cases", "Critical cases that nothing showed to be right or wrong.", float64(s.CriticalUnchecked)},
		{"assay_run_finished_timestamp_seconds", "Time at which the run ended, in seconds since 1970.", float64(r.Header.Finished.Unix())},
	} {
		if one.name == "assay_run_finished_timestamp_seconds" && r.Header.Finished.IsZero() {
			continue
		}
		head(one.name, one.help)
		sample(one.name, labels, one.v)
	}
	if r.Gate != nil {
		head("assay_run_gate_verdict", "Verdict of the gate: 1 pass, 0 fail, -1 inconclusive.")
		sample("assay_run_gate_verdict", labels, verdictNumber(r.Gate.Verdict))
	}
	return out.Flush()
}

var labelEscapes = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`)

// labelValue escapes a text as the value of a label.
func labelValue(s string) string { return labelEscapes.Replace(line(s)) }
