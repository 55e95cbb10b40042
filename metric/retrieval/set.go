package retrieval

import (
	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/metric"
)

// SetPrecision is precision over all returned documents.
var SetPrecision = documents(metric.Def{
	Name:    "set_precision",
	Title:   "Set precision",
	Doc:     "How much of all that was returned is relevant, whatever the order.",
	Formula: "relevant documents returned / documents returned",
	Edges:   "Not applicable if nothing was retrieved. 0 if no document is judged relevant." + duplicateEdge,
	Source:  "trec_eval set_P",
	Params:  []metric.Param{levelParam},
}, func(p metric.Params) Formula {
	lv := level(p)
	return func(r *Ranking) assay.Score {
		if r.Len() == 0 {
			return assay.None(noResult)
		}
		return assay.Value(r.SetPrecision(lv))
	}
})

// SetPrecision returns the share of relevant documents in the whole list; 0 if it
// is empty.
func (r *Ranking) SetPrecision(level int) float64 { return ratio(r.Found(0, level), r.Len()) }

// SetRecall is recall over all returned documents.
var SetRecall = documents(metric.Def{
	Name:    "set_recall",
	Title:   "Set recall",
	Doc:     "How much of what is relevant was returned at all, whatever the order.",
	Formula: "relevant documents returned / documents judged relevant",
	Edges:   notMeasured,
	Source:  "trec_eval set_recall",
	Params:  []metric.Param{levelParam},
}, binary(func(r *Ranking, _, level int) float64 { return r.Recall(0, level) }))

// SetRecallCap is set recall relative to the highest value possible for the length of the list.
var SetRecallCap = documents(metric.Def{
	Name:    "set_recall_cap",
	Title:   "Capped set recall",
	Doc:     "Set recall as a share of what a list of this length could hold.",
	Formula: "relevant documents returned / min(documents returned, documents judged relevant)",
	Edges:   "Not applicable if nothing was retrieved. " + notMeasured,
	Source:  "trec_eval set_relative_P",
	Params:  []metric.Param{levelParam},
}, ofSet(func(r *Ranking, _ metric.Params, level int) float64 { return r.SetRecallCap(level) }))

// SetRecallCap returns the number of relevant documents returned over the largest
// number possible; 0 if that is 0.
func (r *Ranking) SetRecallCap(level int) float64 {
	return ratio(r.Found(0, level), min(r.Len(), r.Relevant(level)))
}

// SetF is the F measure over all returned documents.
var SetF = documents(metric.Def{
	Name:    "set_f",
	Title:   "Set F",
	Doc:     "Set precision and set recall in one number; recall weighs beta times as much.",
	Formula: "(1 + β²) · P · R / (β² · P + R)",
	Edges:   "0 when nothing relevant was returned. Not applicable if nothing was retrieved. " + notMeasured,
	Source:  "van Rijsbergen 1979; trec_eval set_F.x with x = β², not β",
	Params:  []metric.Param{{Name: "beta", Doc: "how much more recall weighs than precision", Default: "1", Min: 0, Max: 1000}, levelParam},
}, ofSet(func(r *Ranking, p metric.Params, level int) float64 {
	beta := p.Number("beta")
	return r.SetF(beta*beta, level)
}))

// SetF returns the F measure of the whole list, where recall weighs sqrt(weight)
// times as much as precision; 0 if nothing relevant was returned.
func (r *Ranking) SetF(weight float64, level int) float64 {
	p, rec := r.SetPrecision(level), r.Recall(0, level)
	if p == 0 || rec == 0 {
		return 0
	}
	return (1 + weight) * p * rec / (weight*p + rec)
}

// SetAveragePrecision is the product of set precision and set recall.
var SetAveragePrecision = documents(metric.Def{
	Name:    "set_average_precision",
	Title:   "Set average precision",
	Doc:     "Set precision and set recall multiplied: average precision when the order means nothing.",
	Formula: "set_precision · set_recall",
	Edges:   "Not applicable if nothing was retrieved. " + notMeasured,
	Source:  "trec_eval set_map",
	Params:  []metric.Param{levelParam},
}, ofSet(func(r *Ranking, _ metric.Params, level int) float64 { return r.SetAveragePrecision(level) }))

// SetAveragePrecision returns set precision times set recall; 0 if either is
// undefined. It divides once, as trec_eval does: 1/4 · 9/40 would round to another
// fourth digit.
func (r *Ranking) SetAveragePrecision(level int) float64 {
	hits, of := float64(r.Found(0, level)), float64(r.Len())*float64(r.Relevant(level))
	if of == 0 {
		return 0
	}
	return hits * hits / of
}
