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
	// Above and UpTo are the scores around it: every threshold above the one and up to the other
	// rules the items alike. They are Value itself where no score is on that side.
	Above, UpTo float64
	// BalancedAccuracy is measured on the items used to choose the threshold, so
	// it is optimistic; see [CrossValidate].
	BalancedAccuracy float64
}

// BestThreshold returns the threshold with the highest balanced accuracy on the
// items. Candidates are the midpoints between neighbouring scores, the lowest
// score, at which all pass, and a value just above the highest, at which none
// passes. Ties go to the candidate nearest to 0.5, then to the lower. ok is false
// unless both labels occur and every score is a finite number.
func BestThreshold(scores []float64, labels []bool) (t Threshold, ok bool) {
	if len(scores) != len(labels) {
		return t, false
	}
	order := make([]int, len(scores))
	var c Confusion
	for i, s := range scores {
		if !isFinite(s) {
			return t, false
		}
		order[i] = i
		c.Add(true, labels[i])
	}
	if c.Positives() == 0 || c.Negatives() == 0 {
		return t, false
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(scores[a], scores[b]) })
	t.Value = scores[order[0]]
	t.Above, t.UpTo = t.Value, t.Value
	t.BalancedAccuracy, _ = c.BalancedAccuracy()
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
		at := math.Nextafter(low, math.Inf(1))
		high := at
		if i < len(order) {
			// Halve first, because the sum of two scores may overflow. If no
			// number lies between them, the upper one separates them.
			high = scores[order[i]]
			if at = low/2 + high/2; at <= low {
				at = high
			}
		}
		// There is no threshold above the largest number.
		if !isFinite(at) {
			break
		}
		v, _ := c.BalancedAccuracy()
		if v > t.BalancedAccuracy+tie || v > t.BalancedAccuracy-tie && math.Abs(at-0.5) < math.Abs(t.Value-0.5) {
			t = Threshold{at, low, high, v}
		}
	}
	return t, true
}

// CrossRule rules each item by a threshold from [BestThreshold] on items of other folds. It
// assigns groups, such as questions, to folds. Groups with and without items labelled true are
// assigned in turn, in an order shuffled with seed. An item with an empty group is its own
// group. ok is false if there are fewer groups than folds, or if the items outside a fold all
// have the same label.
func CrossRule(scores []float64, labels []bool, groups []string, folds int, seed uint64) (ruled []bool, ok bool) {
	if len(scores) != len(labels) || len(scores) != len(groups) || folds < 2 {
		return nil, false
	}
	fold, n := deal(labels, groups, folds, seed)
	if n < folds {
		return nil, false
	}
	ruled = make([]bool, len(scores))
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
			return nil, false
		}
		for i := range scores {
			if fold[i] == f {
				ruled[i] = scores[i] >= t.Value
			}
		}
	}
	return ruled, true
}

// CrossValidate measures how well thresholds from [BestThreshold] rule items that were not
// used to choose them: it counts the rulings of [CrossRule].
func CrossValidate(scores []float64, labels []bool, groups []string, folds int, seed uint64) (c Confusion, ok bool) {
	ruled, ok := CrossRule(scores, labels, groups, folds, seed)
	if !ok {
		return Confusion{}, false
	}
	for i, r := range ruled {
		c.Add(r, labels[i])
	}
	return c, true
}

// deal returns the fold of each item and the number of groups.
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
