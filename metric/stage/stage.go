// Package stage scores the stages of a pipeline, and holds the arithmetic of
// whose fault a failed case is. One metric a file, but for the family lost_at,
// which is one formula over each place where evidence can be lost.
//
// The arithmetic ([FirstFailing], [Shapley]) is pure: outcomes and shares go in,
// names and shares come out. Package attribution finds what goes in; the funnel
// and the ladder of a whole run are in package summary.
package stage

import "github.com/assay-eval/assay/metric"

var set metric.Set

// Defs returns the definitions of the package.
func Defs() []*metric.Def { return set.Defs() }

// define adds a metric of a ratio.
func define(d metric.Def) *metric.Def {
	d.Group = metric.Stages
	d.Range, d.Version = [2]float64{0, 1}, 1
	return set.Define(d)
}

// share is part/whole, 0 when there is no whole.
func share(part, whole int) float64 {
	if whole == 0 {
		return 0
	}
	return float64(part) / float64(whole)
}
