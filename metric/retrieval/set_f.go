package retrieval

import "github.com/assay-eval/assay/metric"

// SetF is the F measure over all that was returned.
var SetF = documents(metric.Def{
	Name:    "set_f",
	Title:   "Set F",
	Doc:     "Set precision and set recall in one number; recall weighs beta times as much.",
	Formula: "(1 + β²) · P · R / (β² · P + R)",
	Edges:   "0 when nothing relevant was returned. Not applicable when nothing was retrieved. " + notMeasured,
	Source:  "van Rijsbergen 1979; trec_eval set_F.x with x = β², not β",
	Params:  []metric.Param{{Name: "beta", Doc: "how much more recall weighs than precision", Default: "1", Min: 0, Max: 1000}, levelParam},
}, ofSet(func(r *Ranking, p metric.Params, level int) float64 {
	beta := p.Number("beta")
	return r.SetF(beta*beta, level)
}))

// SetF is the F measure of the whole list, where recall weighs sqrt(weight)
// times as much as precision; 0 if nothing relevant was returned.
func (r *Ranking) SetF(weight float64, level int) float64 {
	p, rec := r.SetPrecision(level), r.Recall(0, level)
	if p == 0 || rec == 0 {
		return 0
	}
	return (1 + weight) * p * rec / (weight*p + rec)
}
