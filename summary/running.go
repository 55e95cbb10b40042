package summary

import (
	"math"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/columns"
	"github.com/assay-eval/assay/stats"
)

// A Running is the mean of one metric over the cases scored so far, with an interval
// that may be read after every case: the probability that it ever misses the mean of
// all cases is 1 − level. This requires that the cases come in random order and are
// independent. The interval is that of [stats.Bounds] if the metric has a smallest and a
// largest value, else that of [stats.ConfidenceSequence]. It is not safe for concurrent
// use.
type Running struct {
	metric     assay.MetricInfo
	alpha, rho float64
	// bounds has the scores of a metric with a closed range, scaled to 0…1.
	bounds stats.Bounds

	n            int
	mean, square float64
	// dependent is set if cases share a group or have several draws.
	dependent bool
}

// NewRunning follows the composite, else the first metric, of a run of the given
// number of cases. An interval by [stats.ConfidenceSequence] is narrowest at the end
// of the run. It returns nil if there is no metric.
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

// Add adds a record if it counts in the mean of the metric, as one does in which the target failed.
func (r *Running) Add(rec assay.Record) {
	s := rec.Scores[r.metric.Name]
	v, ok := paired(r.metric, columns.Numbers{State: s.State, Value: s.Value})
	if !ok {
		return
	}
	r.dependent = r.dependent || rec.Case.Group != "" || rec.Case.Draw > 0
	// Welford's algorithm.
	r.n++
	d := v - r.mean
	r.mean += d / float64(r.n)
	r.square += d * (v - r.mean)
	if Bounded(r.metric) {
		r.bounds.Add((v - r.metric.Range[0]) / width(r.metric))
	}
}

// Metric returns the metric that is followed.
func (r *Running) Metric() assay.MetricInfo { return r.metric }

// Estimate returns the mean so far with its interval. ok is false for a metric that pools its
// cases, for cases that are not independent, without scored cases, below 30 if the range of the metric is open, and of a judge
// near chance or by a threshold with an interval, which this interval does not hold.
func (r *Running) Estimate() (e stats.Estimate, ok bool) {
	if r.n < 1 || r.dependent || r.metric.Pooled || r.metric.NearChance != "" || r.metric.OpenThreshold {
		return e, false
	}
	ci, ok := r.interval()
	return stats.Estimate{Mean: r.mean, CI: &ci, Level: 1 - r.alpha, N: r.n}, ok
}

func (r *Running) interval() (ci stats.Interval, ok bool) {
	if Bounded(r.metric) {
		// A score outside of the range is in the mean and not in the bounds.
		if ci, ok = r.bounds.Interval(r.alpha); !ok || r.bounds.N != r.n {
			return ci, false
		}
		low, wide := r.metric.Range[0], width(r.metric)
		return stats.Interval{Lo: low + wide*ci.Lo, Hi: low + wide*ci.Hi}, true
	}
	if r.n < 2 {
		return ci, false
	}
	half, ok := stats.ConfidenceSequence(r.n, math.Sqrt(r.square/float64(r.n-1)), r.alpha, r.rho)
	ci = stats.Interval{Lo: r.mean - half, Hi: r.mean + half}
	if lo, hi := r.metric.Range[0], r.metric.Range[1]; hi > lo {
		ci = ci.Clip(lo, hi)
	}
	return ci, ok
}
