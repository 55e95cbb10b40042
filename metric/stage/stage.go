// Package stage tells which stage of a pipeline lost an answer, and scores the
// stages. It is the one home of both: the facts of a case are followed through
// what each stage put out ([Attributor.Follow], the funnel), a failed case is
// asked again with the right outputs in the stages' places ([Attributor.Explain],
// the ladder), and the metrics, one a file, read the [assay.Attribution] that
// results. Package summary adds up the attributions of a run.
//
// # Facts
//
// The facts of a case are the vital points of its ideal answer (all points when
// none is vital), else its labelled passages, else its relevant documents, else
// its keywords (fact.go). A passage carries a fact by its id, else by its text,
// else by covering half of it; of a document in several chunks only those carry
// the fact that hold the reference answer or a keyword, where the index knows
// such chunks (carrier.go). Reference answers alone are no facts: a short one
// turns up by chance, and a long one is hardly ever repeated word for word.
//
// # When a case failed
//
// The [Outcome] of the run decides; without one the judge's answer_correctness
// where it was scored, else all keywords must be in the answer, else one of the
// reference answers, else all facts.
//
// # Stages that cannot be told apart
//
// A stage whose right output is not labelled, or that the trace does not show,
// is merged with a later one: see [assay.Attribution].Merged.
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
