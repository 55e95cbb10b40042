package retrieval

import (
	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/metric"
)

// NDCGAtLevels averages nDCG over the depths at which the grade of the ideal
// ranking changes.
var NDCGAtLevels = documents(metric.Def{
	Name:  "ndcg_at_levels",
	Title: "nDCG at grade levels",
	Doc: "The nDCG at the depths that hold just the documents of the best grades, averaged: r_precision for " +
		"documents that are relevant by degrees.",
	Formula: "mean of nDCG at the ranks where the gain of the ideal ranking changes, and at the end of the list",
	Edges:   "Documents without a judgment have no gain. " + notMeasured,
	Source:  "trec_eval Rndcg",
	Params:  []metric.Param{gainParam, levelParam},
}, func(p metric.Params) Formula {
	gain, lv := gains[p.Word(gainParam.Name)], level(p)
	return func(r *Ranking) assay.Score {
		if r.Relevant(lv) == 0 {
			return assay.None(noRelevant)
		}
		return assay.Value(r.NDCGAtLevels(lv, gain))
	}
})

// NDCGAtLevels returns the mean of nDCG at the depths at which the gain of the
// ideal ranking falls to the next level, and at its end; 0 if no document is
// judged relevant or has a gain.
func (r *Ranking) NDCGAtLevels(level int, gain Gain) float64 {
	ideal := r.IdealGains(gain)
	if len(ideal) == 0 || r.Relevant(level) == 0 {
		return 0
	}
	sum, dcg, best, depths := 0.0, 0.0, 0.0, 0
	for i := range max(len(ideal)+1, len(r.Grades)) {
		if i > 0 && (i == len(ideal) || i < len(ideal) && ideal[i] != ideal[i-1]) {
			sum += dcg / best
			depths++
		}
		if i < len(r.Grades) {
			if g := r.gainAt(i, gain); g != 0 {
				dcg += g / Discount(i+1)
			}
		}
		if i < len(ideal) {
			best += ideal[i] / Discount(i+1)
		}
	}
	// By this point trec_eval is one rank past the end of the ideal ranking.
	if len(ideal)+1 < len(r.Grades) {
		sum += dcg / best
		depths++
	}
	return sum / float64(depths)
}

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

// NDCGAtRelevant returns the mean, over documents with a gain, of nDCG at their
// ranks. For a document that is not returned, nDCG at the end of the list counts.
// The result is 0 if no document has a gain.
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
