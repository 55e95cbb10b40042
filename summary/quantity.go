package summary

import (
	"cmp"
	"slices"

	"github.com/assay-eval/assay/columns"
	"github.com/assay-eval/assay/stats"
)

// A Quantity is what a case took: money or time.
type Quantity struct {
	// N is the number of responses that it is of.
	N     int     `json:"n"`
	Value float64 `json:"value"`
	// CI is the interval for cases like these; nil if the cases are too few.
	CI *stats.Interval `json:"ci"`
}

// CostPerCase returns the mean cost of a response in micro-dollars, with its interval; ok is
// false if none has one, or if one has tokens and no cost: the mean of the others would be too
// low. Draws of a case are one observation.
func CostPerCase(t *columns.Table, level float64) (q Quantity, ok bool) {
	var samples []stats.Sample
	for i := range t.Len() {
		if !t.Responded(i) {
			continue
		}
		s := stats.Sample{Value: float64(t.Cost(i)), Cluster: t.Group(i)}
		if s.Cluster == "" && t.Repeated() {
			s.Cluster = t.Base(i)
		}
		if t.Unpriced(i) {
			return q, false
		}
		ok = ok || s.Value > 0
		samples = append(samples, s)
	}
	if !ok {
		return q, false
	}
	e := stats.Mean(samples, level)
	return Quantity{e.N, e.Mean, e.CI}, true
}

// TypicalLatency returns the median time of a response in nanoseconds, with its interval; ok
// is false if none is known. The interval takes the mean of a case's draws as one
// observation, and does not account for cases that belong together.
func TypicalLatency(t *columns.Table, level float64) (q Quantity, ok bool) {
	var all []float64
	sum, draws := map[string]float64{}, map[string]float64{}
	for i := range t.Len() {
		if took := float64(t.Latency(i)); took > 0 {
			all = append(all, took)
			sum[t.Base(i)] += took
			draws[t.Base(i)]++
		}
	}
	slices.Sort(all)
	q.N = len(all)
	if q.Value, ok = stats.Quantile(all, 0.5); !ok {
		return q, false
	}
	cases := make([]float64, 0, len(sum))
	for id, v := range sum {
		cases = append(cases, v/draws[id])
	}
	slices.SortFunc(cases, cmp.Compare)
	if q.CI = stats.MedianInterval(cases, level); q.CI != nil {
		// That of all draws can lie a little beside that of the cases' means.
		q.CI = &stats.Interval{Lo: min(q.CI.Lo, q.Value), Hi: max(q.CI.Hi, q.Value)}
	}
	return q, true
}
