package summary

import (
	"github.com/assay-eval/assay/columns"
	"github.com/assay-eval/assay/stats"
)

// A Quantity is what a case cost.
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
