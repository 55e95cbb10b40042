package stats

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
)

// A Threshold splits scores: those of at least Value are ruled true.
type Threshold struct {
	Value float64
	// BalancedAccuracy is that on the items which the threshold was chosen on,
	// and flatters it: see [CrossValidate].
	BalancedAccuracy float64
}

// BestThreshold gives the threshold with the highest balanced accuracy on the
// items. Candidates are the midpoints between neighbouring scores, the lowest
// score, at which all pass, and what lies just above the highest, at which none
// does. Of equally good ones it is that nearest to 0.5, then the lower. It is
// not ok unless both labels occur and every score is a finite number.
func BestThreshold(scores []float64, labels []bool) (t Threshold, ok bool) {
	best, ok := sweep(scores, labels, func(c Confusion) float64 {
		b, _ := c.BalancedAccuracy()
		return b
	})
	return Threshold{best.threshold, best.value}, ok
}

// CheapestThreshold is [BestThreshold] for errors of known cost: it gives the
// threshold with the lowest falsePositive·FP + falseNegative·FN, and that cost. It
// is not ok either when that cost is not finite.
func CheapestThreshold(scores []float64, labels []bool, falsePositive, falseNegative float64) (threshold, cost float64, ok bool) {
	best, ok := sweep(scores, labels, func(c Confusion) float64 {
		return -(falsePositive*float64(c.FP) + falseNegative*float64(c.FN))
	})
	if !ok || !isFinite(best.value) {
		return 0, 0, false
	}
	return best.threshold, -best.value, true
}

type candidate struct{ threshold, value float64 }

// sweep tries the candidates from the lowest up and keeps that of most value.
func sweep(scores []float64, labels []bool, value func(Confusion) float64) (best candidate, ok bool) {
	if len(scores) != len(labels) {
		return best, false
	}
	order := make([]int, len(scores))
	var c Confusion
	for i, s := range scores {
		if !isFinite(s) {
			return best, false
		}
		order[i] = i
		c.Add(true, labels[i])
	}
	if c.Positives() == 0 || c.Negatives() == 0 {
		return best, false
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(scores[a], scores[b]) })
	best = candidate{scores[order[0]], value(c)}
	for i := 0; i < len(order); {
		low := scores[order[i]]
		for ; i < len(order) && scores[order[i]] == low; i++ {
			// Above this score, the item is ruled false.
			if labels[order[i]] {
				c.TP--
				c.FN++
			} else {
				c.FP--
				c.TN++
			}
		}
		t := math.Nextafter(low, math.Inf(1))
		if i < len(order) {
			// The halves first: the sum of two scores may not be a number. Where
			// no number lies between them, the upper one splits them.
			high := scores[order[i]]
			if t = low/2 + high/2; t <= low {
				t = high
			}
		}
		// Above the largest number there is no threshold.
		if !isFinite(t) {
			break
		}
		v := value(c)
		if v > best.value+tie || v > best.value-tie && math.Abs(t-0.5) < math.Abs(best.threshold-0.5) {
			best = candidate{t, v}
		}
	}
	return best, true
}

// CrossValidate tells how well a threshold chosen by [BestThreshold] rules items
// that it was not chosen on: the groups, such as questions, are dealt to folds;
// each fold is ruled by the threshold of the others, and all rulings are counted
// together. Groups with and without items labelled true are dealt in turn, in an
// order drawn with seed. An item whose group is "" is one by itself. It is not
// ok when there are fewer groups than folds, or the items outside a fold are all
// labelled the same.
func CrossValidate(scores []float64, labels []bool, groups []string, folds int, seed uint64) (c Confusion, ok bool) {
	if len(scores) != len(labels) || len(scores) != len(groups) || folds < 2 {
		return c, false
	}
	fold, n := deal(labels, groups, folds, seed)
	if n < folds {
		return c, false
	}
	for f := range folds {
		var s []float64
		var l []bool
		for i := range scores {
			if fold[i] != f {
				s, l = append(s, scores[i]), append(l, labels[i])
			}
		}
		t, ok := BestThreshold(s, l)
		if !ok {
			return Confusion{}, false
		}
		for i := range scores {
			if fold[i] == f {
				c.Add(scores[i] >= t.Value, labels[i])
			}
		}
	}
	return c, true
}

// deal gives the fold of each item and the number of groups.
func deal(labels []bool, groups []string, folds int, seed uint64) (fold []int, n int) {
	group := make([]int, len(groups))
	var positive []bool
	at := grouping{}
	for i, name := range groups {
		g := at.index(name, len(positive))
		if g == len(positive) {
			positive = append(positive, false)
		}
		group[i] = g
		positive[g] = positive[g] || labels[i]
	}
	order := rand.New(rand.NewPCG(seed, 2)).Perm(len(positive))
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case positive[a] == positive[b]:
			return 0
		case positive[a]:
			return -1
		}
		return 1
	})
	of := make([]int, len(order))
	for place, g := range order {
		of[g] = place % folds
	}
	fold = make([]int, len(groups))
	for i, g := range group {
		fold[i] = of[g]
	}
	return fold, len(positive)
}
