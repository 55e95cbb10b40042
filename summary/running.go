package summary

import (
	"math"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/stats"
)

// A Running is the mean of one metric over the cases that have been scored so
// far, with an interval that may be read after every case: the chance that it
// ever misses the mean of all cases is 1 − level. That holds when the cases come
// in random order and are independent. It is not safe for concurrent use.
type Running struct {
	metric       assay.MetricInfo
	alpha, rho   float64
	n            int
	mean, square float64
	// dependent is set when cases share a group or are drawn several times.
	dependent bool
}

// NewRunning follows the composite, else the first metric of a run of so many
// cases; the interval is narrowest at its end. It is nil without a metric.
func NewRunning(metrics []assay.MetricInfo, cases int, level float64) *Running {
	if len(metrics) == 0 {
		return nil
	}
	r := &Running{metric: metrics[0], alpha: 1 - level}
	for _, m := range metrics {
		if m.Name == assay.CompositeName {
			r.metric = m
		}
	}
	r.rho, _ = stats.ConfidenceSequenceRho(cases, r.alpha)
	return r
}

// Add counts a record, when it has a score of the metric.
func (r *Running) Add(rec assay.Record) {
	s := rec.Scores[r.metric.Name]
	if s.State != assay.Scored {
		return
	}
	r.dependent = r.dependent || rec.Case.Group != "" || rec.Case.Draw > 0
	// Welford's updates.
	r.n++
	d := s.Value - r.mean
	r.mean += d / float64(r.n)
	r.square += d * (s.Value - r.mean)
}

// Metric is the metric that is followed.
func (r *Running) Metric() assay.MetricInfo { return r.metric }

// Estimate is the mean so far with its interval; ok is false below 30 scored
// cases, and for cases that are not independent.
func (r *Running) Estimate() (e stats.Estimate, ok bool) {
	if r.n < 2 || r.dependent {
		return e, false
	}
	half, ok := stats.ConfidenceSequence(r.n, math.Sqrt(r.square/float64(r.n-1)), r.alpha, r.rho)
	if !ok {
		return e, false
	}
	ci := stats.Interval{Lo: r.mean - half, Hi: r.mean + half}
	if lo, hi := r.metric.Range[0], r.metric.Range[1]; hi > lo {
		ci = ci.Clip(lo, hi)
	}
	return stats.Estimate{Mean: r.mean, CI: &ci, Level: 1 - r.alpha, N: r.n}, true
}
