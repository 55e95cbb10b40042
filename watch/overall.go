package watch

import (
	"slices"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/lazyregexp"
	"github.com/assay-eval/assay/stats"
)

// Metrics returns the metrics of the series, each once.
func (s *State) Metrics() []assay.MetricInfo {
	var out []assay.MetricInfo
	for _, one := range s.Series {
		if !slices.ContainsFunc(out, func(m assay.MetricInfo) bool { return m.Name == one.Metric.Name }) {
			out = append(out, one.Metric)
		}
	}
	return out
}

// Overall returns the mean of a metric over all kinds of exchanges, each with its share of the
// traffic, and bounds that hold at all times together. Those of the kinds are at a higher
// level, so that all of them hold together: the bounds of the sum are wider than need be. ok is
// false if there is one kind, or if one has no score yet.
func (s *State) Overall(metric string) (e stats.Estimate, ok bool) {
	var parts []*Series
	sampled := map[string]int{}
	total := 0
	for _, st := range s.Strata {
		sampled[st.Name] = st.Sampled
	}
	for _, one := range s.Series {
		if one.Metric.Name == metric {
			parts = append(parts, one)
			total += sampled[one.Stratum]
		}
	}
	if len(parts) < 2 || total == 0 {
		return e, false
	}
	level := 1 - (1-s.Settings.Level)/float64(len(parts))
	ci := stats.Interval{}
	for _, one := range parts {
		mean, bounds, ok := one.Estimate(level)
		if !ok {
			return e, false
		}
		share := float64(sampled[one.Stratum]) / float64(total)
		e.Mean += share * mean
		ci.Lo += share * bounds.Lo
		ci.Hi += share * bounds.Hi
		e.N += one.Bounds.N
	}
	e.CI, e.Level = &ci, s.Settings.Level
	return e, true
}

var validName = lazyregexp.New(`^[0-9A-Za-z][0-9A-Za-z._-]{0,63}$`)

// ValidName reports whether a watch can have a name.
func ValidName(name string) bool { return validName().MatchString(name) }
