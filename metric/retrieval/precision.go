package retrieval

import (
	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/metric"
)

// PrecisionAt is the share of relevant documents in the first k ranks.
var PrecisionAt = documents(metric.Def{
	Name:  "precision",
	Title: "Precision", Capped: true,
	Doc:     "How much of what is shown is relevant. Every other or empty rank lowers it.",
	Formula: "relevant documents among the first k / k",
	Edges:   "The denominator is k even if fewer were returned. 0 if no document is judged relevant." + duplicateEdge,
	Source:  "trec_eval P",
	Cutoff:  metric.RequiredCutoff,
	Params:  []metric.Param{levelParam},
}, func(p metric.Params) Formula {
	k, lv := p.K, level(p)
	return func(r *Ranking) assay.Score { return assay.Value(r.Precision(k, lv)) }
})

// Precision returns the share of the first k ranks that hold a relevant document.
// Ranks beyond the end of the list count as not relevant. k must be at least 1.
func (r *Ranking) Precision(k, level int) float64 {
	return float64(r.Found(k, level)) / float64(k)
}

// PrecisionReturned is precision over the documents actually returned.
var PrecisionReturned = documents(metric.Def{
	Name:    "precision_returned",
	Title:   "Precision of what was returned",
	Doc:     "Precision that does not penalise a target for returning fewer than k. Read it together with precision when lists are short.",
	Formula: "relevant documents among the first k / min(k, returned)",
	Edges:   "Not applicable if nothing was retrieved. 0 if no document is judged relevant." + duplicateEdge,
	Source:  "metrics of ranx and continuous-eval without a cutoff",
	Cutoff:  metric.RequiredCutoff,
	Params:  []metric.Param{levelParam},
}, func(p metric.Params) Formula {
	k, lv := p.K, level(p)
	return func(r *Ranking) assay.Score {
		n := r.depth(k)
		if n == 0 {
			return assay.None(noResult)
		}
		return assay.Value(float64(r.Found(k, lv)) / float64(n))
	}
})

// RPrecision is precision at R, the number of relevant documents.
var RPrecision = documents(metric.Def{
	Name:    "r_precision",
	Title:   "R-precision",
	Doc:     "Precision, and recall, at the depth where both could be 1.",
	Formula: "relevant documents among the first k / k, k = R · multiple, rounded up from a tenth on; R = documents judged relevant",
	Edges:   "0 if k is below 1. " + notMeasured,
	Source:  "trec_eval Rprec; Rprec_mult for a multiple other than 1",
	Params: []metric.Param{
		{Name: "multiple", Doc: "how many times R ranks are looked at", Default: "1", Min: 0, Max: 1000},
		levelParam,
	},
}, func(p metric.Params) Formula {
	multiple := p.Number("multiple")
	return binary(func(r *Ranking, _, level int) float64 { return r.RPrecision(multiple, level) })(p)
})

// RPrecision returns the precision at k = R · multiple, where R is the number of
// documents judged relevant; 0 if k is below 1. As in trec_eval, a fraction of
// at least 0.1 rounds k up.
func (r *Ranking) RPrecision(multiple float64, level int) float64 {
	k := int(multiple*float64(r.Relevant(level)) + 0.9)
	if k < 1 {
		return 0
	}
	return r.Precision(k, level)
}
