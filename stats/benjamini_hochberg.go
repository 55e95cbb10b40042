package stats

import (
	"cmp"
	"slices"
)

// BenjaminiHochberg adjusts a family of p-values to control the false discovery
// rate, the expected share of false positives among the significant results:
//
//	p₍ₖ₎ adjusted = min over j ≥ k of p₍ⱼ₎·m/j, at most 1
//
// for m p-values in ascending order. It suits exploration, such as many slices,
// and finds more than [CompareTogether], which suits comparisons declared in advance.
// The result has the order of the input. Values that are not between 0 and 1
// count as 1. Source: Benjamini and Hochberg, JRSS B 1995; matches R's p.adjust,
// method "BH".
func BenjaminiHochberg(p []float64) []float64 {
	out := make([]float64, len(p))
	order := make([]int, len(p))
	for i, v := range p {
		order[i], out[i] = i, 1
		if v >= 0 && v <= 1 {
			out[i] = v
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(out[b], out[a]) })
	best := 1.0
	for before, i := range order {
		rank := len(p) - before
		best = min(best, out[i]*(float64(len(p))/float64(rank)))
		out[i] = best
	}
	return out
}
