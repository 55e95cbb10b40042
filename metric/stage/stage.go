// Package stage finds the stage of a pipeline that lost an answer, and scores the stages.
// The facts of a case are followed through the output of each stage ([Attributor.Follow],
// the funnel). A failed case is asked again with the right outputs in place of those of
// the stages ([Attributor.Explain], the ladder). The metrics read the resulting
// [assay.Attribution]. Package summary aggregates the attributions of a run.
//
// # Facts
//
// The facts of a case are the vital points of its ideal answer (all points if none is
// vital), else its labelled passages, else its relevant documents, else its keywords, else
// its reference answer (fact.go). Text outranks ids (carrier.go). Passages carry a labelled text if one
// contains it, or several cover nearly all of it. Where a labelled text, or a document,
// holds the reference answer, or keywords, these are what must be in them (seek.go): an id
// says only that the document was there. It counts where the document does not hold the
// answer's words, as with "yes", or where passages have no text. What passages carry
// partly is lost there. A reference answer alone is a fact if it can be found by its words:
// "yes" and small numbers occur by chance, and a long one is rarely repeated word for word.
//
// # When a case failed
//
// The [Outcome] of the run decides. Without one, the judge's answer_correctness decides if
// it was scored, else its binary_correctness; else all keywords must be in the answer, else one of the reference
// answers, else all facts.
//
// # Stages that cannot be separated
//
// A stage whose right output is not labelled, or that the trace does not show, is merged
// with a later one: see [assay.Attribution].Merged.
package stage

import (
	"context"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/metric"
)

var set metric.Set

// Defs returns the definitions of the package.
func Defs() []*metric.Def { return set.Defs() }

// define adds a metric. score may be nil if d.New is set.
func define(d metric.Def, score func(metric.Input, metric.Params) assay.Score) *metric.Def {
	d.Group = metric.Stages
	if d.New == nil {
		d.New = func(p metric.Params) metric.Func {
			return func(_ context.Context, in metric.Input) (assay.Score, error) { return score(in, p), nil }
		}
	}
	return set.Define(d)
}
