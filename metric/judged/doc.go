// Package judged holds the metrics that a judge is needed for. Each is a
// formula over a [judge.Assessment], one a file: no metric asks a question of
// its own, so that metrics of one run cannot contradict each other. Two, which
// look at words alone, keep them company because they complete a family.
//
// A ruling that is missing counts for nothing and against nothing: a value is
// that of the rulings there are, as long as at most a fifth is missing, and its
// bounds tell what the missing ones could make of it.
package judged

import (
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/metric"
)

var set metric.Set

// Defs lists the metrics of the package.
func Defs() []*metric.Def { return set.Defs() }

// A formula scores one case; it reads the assessment and never asks.
type formula func(in metric.Input) (assay.Score, error)

// define adds a metric that reads what a judge said.
func define(d metric.Def, f func(metric.Params) formula) *metric.Def {
	if d.Group == "" {
		d.Group = metric.Judged
	}
	if d.Range == [2]float64{} {
		d.Range = [2]float64{0, 1}
	}
	d.Version = max(d.Version, 1)
	d.Edges = strings.TrimSpace(d.Edges)
	if d.New == nil {
		d.New = func(p metric.Params) metric.Func { return pure(f(p)) }
	}
	return set.Define(d)
}

// Sentences of Edges that several metrics share.
const (
	unknownEdge = "A ruling that is missing counts neither way while at most a fifth is missing; above that there is no value. The bounds take what is missing as the worst and as the best. "
	claimsEdge  = "An answer that declines or is empty has the state abstained; one without a claim that can be checked has no value. "
	nothingEdge = "With nothing retrieved no claim is supported; passages without text give no value. "
	firstEdge   = "Of several reference answers the first is taken; one without a claim gives no value. "
	depthEdge   = "Passages beyond those that the judge was shown do not count. "
)

const readsBoth = metric.ReadAnswer | metric.ReadPassages

const ragChecker = "RAGChecker (Ru et al., NeurIPS 2024)"
