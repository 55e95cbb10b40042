package retrieval

import "github.com/assay-eval/assay/metric"

// RPrecision is precision at the number of relevant documents.
var RPrecision = documents(metric.Def{
	Name:    "r_precision",
	Title:   "R-precision",
	Doc:     "Precision, and recall, at the depth where both could be 1.",
	Formula: "relevant documents among the first k / k, k = R · multiple, rounded up from a tenth on; R = documents judged relevant",
	Edges:   "0 when k is below 1. " + notMeasured,
	Source:  "trec_eval Rprec; Rprec_mult for a multiple other than 1",
	Params: []metric.Param{
		{Name: "multiple", Doc: "how many times R ranks are looked at", Default: "1", Min: 0, Max: 1000},
		levelParam,
	},
}, func(p metric.Params) Formula {
	multiple := p.Number("multiple")
	return binary(func(r *Ranking, _, level int) float64 { return r.RPrecision(multiple, level) })(p)
})

// RPrecision is the share of relevant documents among the first R times
// multiple, where R is the number judged relevant; 0 if that is below 1. A
// depth that is not whole is rounded up from a tenth on, as trec_eval does.
func (r *Ranking) RPrecision(multiple float64, level int) float64 {
	k := int(multiple*float64(r.Relevant(level)) + 0.9)
	if k < 1 {
		return 0
	}
	return r.Precision(k, level)
}
