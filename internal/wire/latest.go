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

// A target is what a run asked: two runs with the same one are of the same system.
type targetKey struct{ adapter, endpoint, name string }

func targetOf(h assay.Header) targetKey {
	return targetKey{h.Target.Adapter, h.Target.Endpoint, h.Name}
}

// LatestOfTargets returns, of runs that have a metric, latest first, the latest of each
// target that can be compared with the latest of all: at most the given number.
func LatestOfTargets(runs []assay.Header, metric string, most int) (latest []assay.Header) {
	taken := map[targetKey]bool{}
	for _, h := range runs {
		if len(latest) < most && !taken[targetOf(h)] && Differs(runs[0], h, metric) == nil {
			taken[targetOf(h)] = true
			latest = append(latest, h)
		}
	}
	return latest
}
