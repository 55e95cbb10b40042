package retrieval

import (
	"math"
	"slices"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/metric"
)

// Metrics of diversity ask how many aspects of a question the documents cover,
// and how often the same one. They need documents that are labelled with their
// subtopics: those of the case, or the second column of judgments in files.

const (
	noSubtopic    = "no document is labelled with a subtopic"
	subtopicEdges = "Not applicable when no document is labelled with a subtopic. A document without one has no gain. " +
		"At most 1, as the greedy ideal may be beaten." + duplicateEdge
)

// diversity lists the metrics of subtopics.
var diversity []*metric.Def

// OfSubtopics reports whether a metric of documents needs their subtopics.
func OfSubtopics(d *metric.Def) bool { return slices.Contains(diversity, d) }

// subtopics defines a metric of diversity.
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

// novelty is the gain of the first k documents, all if k is 0, over that of
// the greedy ideal ranking at the same depth. A document gains (1 − alpha) to the
// power of how often each of its subtopics was seen above, and what it gains is
// divided by the discount of its rank.
func (r *Ranking) novelty(k int, alpha float64, discount func(rank int) float64) float64 {
	best := discounted(r.idealSubtopics(k, alpha), alpha, discount)
	if best == 0 {
		return 0
	}
	// The greedy ranking is not always the best one.
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

// idealSubtopics orders the labelled documents greedily by gain, the first k, or
// all if k is 0; of equal gains the first comes first.
func (r *Ranking) idealSubtopics(k int, alpha float64) [][]string {
	var out [][]string
	left, seen := slices.Clone(r.Labelled), map[string]int{}
	for len(left) > 0 && (k == 0 || len(out) < k) {
		best, top := 0, math.Inf(-1)
		for i, topics := range left {
			// Sums of the same terms in another order are the same gain.
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

// cutoff returns the first k of a list, all if k is 0.
func cutoff[T any](list []T, k int) []T {
	if k > 0 && k < len(list) {
		return list[:k]
	}
	return list
}
