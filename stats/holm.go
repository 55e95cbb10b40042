package stats

import (
	"cmp"
	"slices"
)

// Holm adjusts a family of p-values to control the family-wise error rate, the
// probability of any false positive. The result has the order of the input.
// Values that are not between 0 and 1 count as 1. Source: Holm, 1979.
func Holm(p []float64) []float64 {
	order := make([]int, len(p))
	p = slices.Clone(p)
	for i, v := range p {
		order[i] = i
		if !(v >= 0 && v <= 1) {
			p[i] = 1
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(p[a], p[b]) })
	out := make([]float64, len(p))
	worst := 0.0
	for rank, i := range order {
		worst = max(worst, min(1, p[i]*float64(len(p)-rank)))
		out[i] = worst
	}
	return out
}
