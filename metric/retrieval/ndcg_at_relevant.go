package retrieval

import "github.com/assay-eval/assay/metric"

// NDCGAtRelevant averages nDCG over the ranks of relevant documents.
var NDCGAtRelevant = documents(metric.Def{
	Name:    "ndcg_at_relevant",
	Title:   "nDCG at relevant documents",
	Doc:     "The nDCG at the depths at which relevant documents are found, averaged as map averages precision.",
	Formula: "mean over documents with a gain of nDCG at their rank; one that was not found counts nDCG at the end of the list",
	Edges:   "Documents without a judgment have no gain. " + notMeasured,
	Source:  "trec_eval ndcg_rel",
	Params:  []metric.Param{gainParam},
}, graded(func(r *Ranking, _ int, gain Gain) float64 { return r.NDCGAtRelevant(gain) }))

// NDCGAtRelevant is the mean, over documents with a gain, of nDCG at their
// ranks; one that was not returned counts nDCG at the end. It is 0 if no
// document has a gain.
func (r *Ranking) NDCGAtRelevant(gain Gain) float64 {
	ideal := r.IdealGains(gain)
	if len(ideal) == 0 {
		return 0
	}
	sum, dcg, best, found := 0.0, 0.0, 0.0, 0
	for i := range max(len(ideal), len(r.Grades)) {
		if i < len(ideal) {
			best += ideal[i] / Discount(i+1)
		}
		if i >= len(r.Grades) {
			continue
		}
		if g := r.gainAt(i, gain); g != 0 {
			dcg += g / Discount(i+1)
			if g > 0 {
				sum += dcg / best
				found++
			}
		}
	}
	sum += float64(len(ideal)-found) * dcg / best
	return max(sum, 0) / float64(len(ideal))
}
