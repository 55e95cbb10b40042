// Package judged holds the metrics that a judge is needed for. Each is a
// formula over a [judge.Assessment], one a file: no metric asks a question of
// its own, so that metrics of one run cannot contradict each other.
package judged

import "github.com/assay-eval/assay/metric"

var set metric.Set

// Defs lists the metrics of the package.
func Defs() []*metric.Def { return set.Defs() }
