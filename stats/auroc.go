package stats

import (
	"cmp"
	"slices"
)

// AUROC is the probability that an item labelled true scores higher than one
// labelled false, counting ties as half: the area under the ROC curve. Chance is
// 0.5. ok is false unless both labels occur and every score is a number.
func AUROC(scores []float64, labels []bool) (area float64, ok bool) {
	if len(scores) != len(labels) {
		return 0, false
	}
	r, ok := ranks(scores)
	if !ok {
		return 0, false
	}
	var sum, positives float64
	for i, l := range labels {
		if l {
			sum += r[i]
			positives++
		}
	}
	negatives := float64(len(labels)) - positives
	if positives == 0 || negatives == 0 {
		return 0, false
	}
	return (sum - positives*(positives+1)/2) / (positives * negatives), true
}

// ranks returns the rank of each value, from 1; equal values share the mean of
// their ranks. ok is false if a value is not a number.
func ranks(values []float64) (ranks []float64, ok bool) {
	order := make([]int, len(values))
	for i, v := range values {
		if v != v {
			return nil, false
		}
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(values[a], values[b]) })
	ranks = make([]float64, len(values))
	for i := 0; i < len(order); {
		j := i + 1
		for j < len(order) && values[order[j]] == values[order[i]] {
			j++
		}
		for _, at := range order[i:j] {
			ranks[at] = float64(i+j+1) / 2
		}
		i = j
	}
	return ranks, true
}
