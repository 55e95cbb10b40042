// Package judged holds the metrics that need a judge, one file a metric or a
// family of metrics. A metric is a formula over a [judge.Assessment] and never
// asks a question itself, so that the metrics of one run agree with each other.
// Two metrics that compare texts only are here because they complete a family.
//
// A missing ruling counts neither for nor against. Up to a fifth of the rulings
// may be missing; the bounds of the score show what they could change.
package judged

import (
	"cmp"
	"context"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/metric"
)

var set metric.Set

// Defs lists the metrics of the package.
func Defs() []*metric.Def { return set.Defs() }

// A formula scores one case from its assessment.
type formula func(in metric.Input, p metric.Params) (assay.Score, error)

// define adds a metric. The formula may be nil if d.New is set.
func define(d metric.Def, f formula) *metric.Def {
	d.Group = cmp.Or(d.Group, metric.Judged)
	if d.New == nil {
		d.New = func(p metric.Params) metric.Func {
			return func(_ context.Context, in metric.Input) (assay.Score, error) { return f(in, p) }
		}
	}
	asks, made := d.Asks, d.New
	for _, p := range d.Params {
		for _, more := range p.Asks {
			asks = asks.Join(more)
		}
	}
	d.New = func(p metric.Params) metric.Func { return bothEnds(asks, made(p)) }
	return set.Define(d)
}

// Sentences of Edges that several metrics share.
const (
	unknownEdge = "Missing rulings are left out while they are at most a fifth; with more there is no value. " +
		"The bounds count them as the worst and as the best. "
	claimsEdge  = "An answer that declines or is empty is abstained; an answer without a verifiable claim has no value. "
	nothingEdge = "If nothing was retrieved, no claim is supported; passages without text give no value. "
	firstEdge   = "Only the first reference answer is used; a reference without a claim gives no value. "
	depthEdge   = "Passages that the judge was not shown do not count. "
)

const readsBoth = metric.ReadAnswer | metric.ReadPassages

const ragChecker = "RAGChecker (Ru et al., NeurIPS 2024)"
