package retrieval

import (
	"math"
	"slices"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/metric"
)

// Diversity metrics measure how many aspects of a question the documents cover,
// and how much they repeat the same aspect. They need documents labelled with
// subtopics: in the case, or in the second column of a judgment file.

const (
	noSubtopic    = "no document is labelled with a subtopic"
	subtopicEdges = "Not applicable if no document is labelled with a subtopic. A document without one has no gain. " +
		"At most 1, as the greedy ideal may be beaten." + duplicateEdge
)

// diversity lists the diversity metrics.
var diversity []*metric.Def

// OfSubtopics reports whether a document metric needs subtopics.
func OfSubtopics(d *metric.Def) bool { return slices.Contains(diversity, d) }

// subtopics defines a diversity metric.
func subtopics(d metric.Def, value func(r *Ranking, p metric.Params) float64) *metric.Def {
	d.Cutoff, d.Edges = metric.OptionalCutoff, subtopicEdges
	def := documents(d, func(p metric.Params) Formula {
		return func(r *Ranking) assay.Score {
			if len(r.Labelled) == 0 {
				return assay.None(noSubtopic)
			}
			return assay.Value(value(r, p))
		}
	})
	diversity = append(diversity, def)
	return def
}

var alphaParam = metric.Param{
	Name: "alpha", Doc: "how much of its gain a subtopic loses each time it comes again", Default: "0.5", Min: 0, Max: 1,
}

// novelty returns the gain of the first k documents, or all if k is 0, over that
// of the greedy ideal ranking at the same depth. A document gains (1 − alpha)^n for
// each of its subtopics, where n counts how often the subtopic occurs above. The
// gain is divided by the discount of the rank.
func (r *Ranking) novelty(k int, alpha float64, discount func(rank int) float64) float64 {
	best := discounted(r.idealSubtopics(k, alpha), alpha, discount)
	if best == 0 {
		return 0
	}
	// The greedy ranking is not always optimal.
	return min(discounted(cutoff(r.Subtopics, k), alpha, discount)/best, 1)
}

func discounted(order [][]string, alpha float64, discount func(rank int) float64) float64 {
	sum, seen := 0.0, map[string]int{}
	for i, topics := range order {
		sum += noveltyGain(topics, seen, alpha) / discount(i+1)
		for _, t := range topics {
			seen[t]++
		}
	}
	return sum
}

func noveltyGain(topics []string, seen map[string]int, alpha float64) float64 {
	sum := 0.0
	for _, t := range topics {
		sum += math.Pow(1-alpha, float64(seen[t]))
	}
	return sum
}

// idealSubtopics orders the labelled documents greedily by gain and returns the
// first k, or all if k is 0. Of equal gains the first in the list wins.
func (r *Ranking) idealSubtopics(k int, alpha float64) [][]string {
	var out [][]string
	left, seen := slices.Clone(r.Labelled), map[string]int{}
	for len(left) > 0 && (k == 0 || len(out) < k) {
		best, top := 0, math.Inf(-1)
		for i, topics := range left {
			// The tolerance treats sums of the same terms in another order as equal.
			if g := noveltyGain(topics, seen, alpha); g > top+1e-12 {
				best, top = i, g
			}
		}
		for _, t := range left[best] {
			seen[t]++
		}
		out = append(out, left[best])
		left = slices.Delete(left, best, best+1)
	}
	return out
}

// cutoff returns the first k elements of a list, or all if k is 0.
func cutoff[T any](list []T, k int) []T {
	if k > 0 && k < len(list) {
		return list[:k]
	}
	return list
}

// SubtopicRecall is the share of the aspects of a question that are covered.
var SubtopicRecall = subtopics(metric.Def{
	Name:    "subtopic_recall",
	Title:   "Subtopic recall",
	Doc:     "How many of the aspects of the question the documents cover at all.",
	Formula: "subtopics of the first k documents / subtopics of all labelled documents",
	Source:  "Zhai et al., SIGIR 2003; strec of ndeval",
}, func(r *Ranking, p metric.Params) float64 { return r.SubtopicRecall(p.K) })

// SubtopicRecall returns the share of all subtopics that the first k documents
// cover, or all documents if k is 0; 0 if no document has a subtopic.
func (r *Ranking) SubtopicRecall(k int) float64 {
	return ratio(distinct(cutoff(r.Subtopics, k)), distinct(r.Labelled))
}

func distinct(lists [][]string) int {
	seen := map[string]bool{}
	for _, topics := range lists {
		for _, t := range topics {
			seen[t] = true
		}
	}
	return len(seen)
}

// AlphaNDCG is nDCG where a subtopic counts less each time it is repeated.
var AlphaNDCG = subtopics(metric.Def{
	Name:  "alpha_ndcg",
	Title: "α-nDCG",
	Doc:   "How early the ranking covers the aspects of the question, with a lower gain for each document that repeats an aspect.",
	Formula: "DCG@k / DCG@k of the greedy ideal ranking; a document gains Σ over its subtopics of (1 − α)^(times the subtopic was " +
		"seen above)",
	Source: "Clarke et al., SIGIR 2008; ndeval",
	Params: []metric.Param{alphaParam},
}, func(r *Ranking, p metric.Params) float64 { return r.AlphaNDCG(p.K, p.Number(alphaParam.Name)) })

// AlphaNDCG returns α-nDCG of the first k documents, or all if k is 0; 0 if no
// document has a subtopic.
func (r *Ranking) AlphaNDCG(k int, alpha float64) float64 { return r.novelty(k, alpha, Discount) }

// ERRIA is the intent-aware expected reciprocal rank.
var ERRIA = subtopics(metric.Def{
	Name:    "err_ia",
	Title:   "ERR-IA",
	Doc:     "How early the ranking covers the aspects of the question for readers who each want one of them and stop when they have it.",
	Formula: "Σ over the first k ranks of gain / rank, over that of the greedy ideal ranking; gains are those of alpha_ndcg",
	Source:  "Chapelle et al., Information Retrieval 2011; nERR-IA of ndeval",
	Params:  []metric.Param{alphaParam},
}, func(r *Ranking, p metric.Params) float64 { return r.ERRIA(p.K, p.Number(alphaParam.Name)) })

// ERRIA returns the normalised intent-aware expected reciprocal rank of the first k
// documents, or all if k is 0; 0 if no document has a subtopic.
func (r *Ranking) ERRIA(k int, alpha float64) float64 {
	return r.novelty(k, alpha, func(rank int) float64 { return float64(rank) })
}
