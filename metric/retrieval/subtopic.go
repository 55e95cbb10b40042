package retrieval

import (
	"cmp"
	"math"
	"slices"
)

// Subtopics maps a document to the aspects of the query that it covers. No
// dataset labels them yet, so that the measures of diversity below are
// functions and not metrics.
type Subtopics map[string][]string

// AlphaNDCG is the alpha-nDCG of the first k documents, all when k is 0: a
// document's gain is the sum over its subtopics of (1 − alpha)^(times the
// subtopic was seen above), discounted by log2(rank + 1) and divided by that
// of the greedy ideal ranking. ok is false when there is no subtopic. Source:
// Clarke et al., SIGIR 2008; matches ndeval.
func (s Subtopics) AlphaNDCG(ranking []string, k int, alpha float64) (v float64, ok bool) {
	return s.normalised(ranking, k, alpha, Discount)
}

// ERRIA is the intent-aware expected reciprocal rank: as [Subtopics.AlphaNDCG]
// with 1/rank for the discount. Matches nERR-IA of ndeval.
func (s Subtopics) ERRIA(ranking []string, k int, alpha float64) (v float64, ok bool) {
	return s.normalised(ranking, k, alpha, func(rank int) float64 { return float64(rank) })
}

// Recall is the share of all subtopics that the first k documents cover, all
// when k is 0. ok is false when there is no subtopic.
func (s Subtopics) Recall(ranking []string, k int) (v float64, ok bool) {
	all := map[string]bool{}
	for _, topics := range s {
		for _, t := range topics {
			all[t] = false
		}
	}
	found := 0
	for _, d := range cutoff(ranking, k) {
		for _, t := range s[d] {
			if !all[t] {
				all[t] = true
				found++
			}
		}
	}
	if len(all) == 0 {
		return 0, false
	}
	return float64(found) / float64(len(all)), true
}

func (s Subtopics) normalised(ranking []string, k int, alpha float64, discount func(rank int) float64) (float64, bool) {
	total := func(order []string) float64 {
		sum := 0.0
		for i, g := range s.novelty(cutoff(order, k), alpha) {
			sum += g / discount(i+1)
		}
		return sum
	}
	best := total(s.ideal(alpha))
	if best == 0 {
		return 0, false
	}
	return total(ranking) / best, true
}

// novelty gives the gain of each document in order. A document that comes
// again gains nothing.
func (s Subtopics) novelty(order []string, alpha float64) []float64 {
	out := make([]float64, len(order))
	seen, done := map[string]int{}, map[string]bool{}
	for i, d := range order {
		if done[d] {
			continue
		}
		done[d] = true
		out[i] = s.gain(d, seen, alpha)
		for _, t := range s[d] {
			seen[t]++
		}
	}
	return out
}

func (s Subtopics) gain(doc string, seen map[string]int, alpha float64) float64 {
	sum := 0.0
	for _, t := range s[doc] {
		sum += math.Pow(1-alpha, float64(seen[t]))
	}
	return sum
}

// ideal orders the documents greedily by gain; equal gains by the greater id.
func (s Subtopics) ideal(alpha float64) []string {
	var left, out []string
	for d := range s {
		left = append(left, d)
	}
	slices.SortFunc(left, func(a, b string) int { return cmp.Compare(b, a) })
	seen := map[string]int{}
	for len(left) > 0 {
		best, top := 0, math.Inf(-1)
		for i, d := range left {
			// Sums of the same terms in another order are the same gain.
			if g := s.gain(d, seen, alpha); g > top+1e-12 {
				best, top = i, g
			}
		}
		for _, t := range s[left[best]] {
			seen[t]++
		}
		out = append(out, left[best])
		left = slices.Delete(left, best, best+1)
	}
	return out
}

// cutoff returns the first k of a list, all when k is 0.
func cutoff[T any](list []T, k int) []T {
	if k > 0 && k < len(list) {
		return list[:k]
	}
	return list
}
