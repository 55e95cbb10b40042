package retrieval

import (
	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/metric"
)

// RBPResidual is the part of rank-biased precision that is not known.
var RBPResidual = documents(metric.Def{
	Name:    "rbp_residual",
	Title:   "RBP residual",
	Doc:     "How much rbp could gain if every document without a judgment, and everything below the list, were relevant.",
	Formula: "p^n + (1 − p) · Σ over documents without a judgment of p^(rank − 1), n = documents returned",
	Edges:   "1 when nothing was retrieved. A negative grade is no judgment." + duplicateEdge,
	Source:  "Moffat and Zobel, TOIS 2008; trec_eval rbp_resid has p = 0.9, and 0 when every document returned is judged",
	Better:  metric.Lower,
	Params:  []metric.Param{persistenceParam},
}, func(p metric.Params) Formula {
	persistence := p.Number(persistenceParam.Name)
	return func(r *Ranking) assay.Score { return assay.Value(r.RBPResidual(persistence)) }
})

// RBPResidual is what RBP could gain if all that is not known were of the
// highest grade: documents without a judgment, and what lies below the list.
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
