package retrieval

import (
	"math"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/metric"
)

// ERR is the expected reciprocal rank.
var ERR = documents(metric.Def{
	Name:  "err",
	Title: "ERR", Capped: true,
	Doc: "The reciprocal of the rank at which a reader is satisfied, when each result satisfies with a " +
		"probability that its grade gives.",
	Formula: "Σ over the first k ranks of s / rank · Π over ranks above of (1 − s), s = (2^grade − 1) / 2^gmax",
	Edges:   "0 if no document is judged relevant. A grade above gmax counts as gmax. Never quite 1." + duplicateEdge,
	Source:  "Chapelle et al., CIKM 2009; gdeval.pl with gmax=4",
	Cutoff:  metric.RequiredCutoff,
	Params:  []metric.Param{maxGradeParam},
}, func(p metric.Params) Formula {
	k, top := p.K, topGrade(p)
	return func(r *Ranking) assay.Score { return assay.Value(r.ERR(k, top(r))) }
})

// ERR returns the expected reciprocal rank within the first k documents, or all
// if k is 0. Top is the highest grade of the scale, at least 1.
func (r *Ranking) ERR(k, top int) float64 {
	sum, unsatisfied := 0.0, 1.0
	for i, grade := range r.Grades[:r.depth(k)] {
		if grade <= 0 {
			continue
		}
		// This is (2^g − 1)/2^top in a form that does not overflow.
		s := math.Exp2(float64(min(grade, top)-top)) - math.Exp2(float64(-top))
		sum += unsatisfied * s / float64(i+1)
		unsatisfied *= 1 - s
	}
	return sum
}
