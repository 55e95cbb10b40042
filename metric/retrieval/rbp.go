package retrieval

import (
	"math"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/metric"
)

// RBP is rank-biased precision.
var RBP = documents(metric.Def{
	Name:  "rbp",
	Title: "RBP", Capped: true,
	Doc: "The gain per result of a reader who continues to the next with probability p. Its bounds tell what " +
		"documents without a judgment, and those that were not returned, could change.",
	Formula: "(1 − p) · Σ gain · p^(rank − 1); gain is 1 for a relevant document, or grade / highest grade " +
		"if graded. The upper bound adds p^n and (1 − p) · p^(rank − 1) for each unjudged one",
	Edges:  "0 if no document is judged relevant; then and always the bounds tell what is unknown." + duplicateEdge,
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

// persistenceParam is the probability that the reader goes on to the next rank.
var persistenceParam = metric.Param{
	Name: "p", Doc: "the probability of continuing to the next result", Default: "0.8", Min: 0, Max: 0.9999,
}

// maxGradeParam sets the scale of graded metrics.
var maxGradeParam = metric.Param{
	Name: "gmax", Doc: "the highest grade of the scale; 0 takes the highest in the dataset", Default: "0", Min: 0, Max: 1000,
}

// topGrade returns a function that returns the highest grade of the scale.
func topGrade(p metric.Params) func(*Ranking) int {
	if top := int(p.Number(maxGradeParam.Name)); top > 0 {
		return func(*Ranking) int { return top }
	}
	return func(r *Ranking) int { return max(r.MaxGrade, 1) }
}

// RBP returns rank-biased precision with persistence p in [0,1).
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

// RBPResidual is the uncertainty of rank-biased precision.
var RBPResidual = documents(metric.Def{
	Name:  "rbp_residual",
	Title: "RBP residual", Capped: true,
	Doc:     "How much rbp could gain if every document without a judgment, and everything below the list, were relevant.",
	Formula: "p^n + (1 − p) · Σ over documents without a judgment of p^(rank − 1), n = documents returned",
	Edges:   "1 if nothing was retrieved. A negative grade is no judgment." + duplicateEdge,
	Source:  "Moffat and Zobel, TOIS 2008; trec_eval rbp_resid has p = 0.9, and 0 when every document returned is judged",
	Better:  metric.Lower,
	Params:  []metric.Param{persistenceParam},
}, func(p metric.Params) Formula {
	persistence := p.Number(persistenceParam.Name)
	return func(r *Ranking) assay.Score { return assay.Value(r.RBPResidual(persistence)) }
})

// RBPResidual returns how much higher RBP would be if everything unknown had the
// highest grade: documents without a judgment, and the ranks below the list.
func (r *Ranking) RBPResidual(p float64) float64 {
	sum, weight := 0.0, 1.0
	for _, grade := range r.Grades {
		if grade < 0 {
			sum += weight
		}
		weight *= p
	}
	return weight + (1-p)*sum
}
