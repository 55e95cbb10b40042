// Package stage scores the stages of a pipeline, and holds the arithmetic of
// what is lost between them. One metric a file, but for the family lost_at,
// which is one formula over each place where evidence can be lost.
//
// The arithmetic ([Funnel], [Ladder], [FirstFailing], [Shapley], [Filter]) is
// pure: counts and shares go in, and come out. Package attribution finds what
// goes in.
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
