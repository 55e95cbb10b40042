package retrieval

import (
	"math"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/metric"
)

// RBP is rank-biased precision.
var RBP = documents(metric.Def{
	Name:  "rbp",
	Title: "RBP",
	Doc: "The gain per result of a reader who goes on to the next with probability p. Its bounds tell what " +
		"documents without a judgment, and those that were not returned, could change.",
	Formula: "(1 − p) · Σ gain · p^(rank − 1); gain is 1 for a relevant document, or grade / highest grade " +
		"when graded. The upper bound adds p^n and (1 − p) · p^(rank − 1) for each unjudged one",
	Edges:  "0 when no document is judged relevant; then and always the bounds tell what is unknown." + duplicateEdge,
	Source: "Moffat and Zobel, TOIS 2008",
	Params: []metric.Param{
		persistenceParam,
		{Name: "gain", Doc: "whether a document is relevant or not, or by degrees", Default: "binary", Values: []string{"binary", "graded"}},
		levelParam, maxGradeParam,
	},
}, func(p metric.Params) Formula {
	persistence, graded, lv := p.Number(persistenceParam.Name), p.Word("gain") == "graded", level(p)
	top := topGrade(p)
	return func(r *Ranking) assay.Score {
		gain := func(grade int) float64 {
			if grade >= lv {
				return 1
			}
			return 0
		}
		if graded {
			most := top(r)
			gain = func(grade int) float64 { return float64(min(grade, most)) / float64(most) }
		}
		s := assay.Value(r.RBP(persistence, gain))
		s.Upper = math.Min(1, s.Value+r.RBPResidual(persistence))
		return s
	}
})

// persistenceParam is how patient the reader of RBP is.
var persistenceParam = metric.Param{
	Name: "p", Doc: "the probability of going on to the next result", Default: "0.8", Min: 0, Max: 0.9999,
}

// maxGradeParam fixes the scale of graded metrics.
var maxGradeParam = metric.Param{
	Name: "gmax", Doc: "the highest grade of the scale; 0 takes the highest in the dataset", Default: "0", Min: 0, Max: 1000,
}

// topGrade returns a function that gives the highest grade of the scale.
func topGrade(p metric.Params) func(*Ranking) int {
	if top := int(p.Number(maxGradeParam.Name)); top > 0 {
		return func(*Ranking) int { return top }
	}
	return func(r *Ranking) int { return max(r.MaxGrade, 1) }
}

// RBP is rank-biased precision with persistence p, from 0 to below 1.
func (r *Ranking) RBP(p float64, gain Gain) float64 {
	sum, weight := 0.0, 1.0
	for _, grade := range r.Grades {
		if grade >= 0 {
			sum += gain(grade) * weight
		}
		weight *= p
	}
	return (1 - p) * sum
}
