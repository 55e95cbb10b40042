package wire

import "github.com/assay-eval/assay"

// LeadingMetric returns the metric of a run that a list shows: the composite or the primary
// metric, else the first.
func LeadingMetric(h assay.Header) (assay.MetricInfo, bool) {
	for _, name := range []string{assay.CompositeName, h.Config["primary"]} {
		if m, ok := MetricOf(h, name); ok {
			return m, true
		}
	}
	if len(h.Metrics) == 0 {
		return assay.MetricInfo{}, false
	}
	return h.Metrics[0], true
}

// LatestOfTargets returns, of runs that have a metric, latest first, the latest of each
// target that can be compared with the latest of all: at most the given number.
func LatestOfTargets(runs []assay.Header, metric string, most int) (latest []assay.Header) {
	taken := map[[3]string]bool{}
	for _, h := range runs {
		system := [3]string{h.Target.Adapter, h.Target.Endpoint, h.Name}
		if len(latest) < most && !taken[system] && Differs(runs[0], h, metric) == nil {
			taken[system] = true
			latest = append(latest, h)
		}
	}
	return latest
}
