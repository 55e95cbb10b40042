package stats

import (
	"math"
	"slices"
)

func counts[T comparable](labels []T) map[T]int {
	n := map[T]int{}
	for _, l := range labels {
		n[l]++
	}
	return n
}

// A Weight is how the cost of a disagreement grows with its distance.
type Weight float64

const (
	// Linear weights: a distance of 2 costs twice as much as one of 1.
	Linear Weight = 1
	// Quadratic weights: a distance of 2 costs four times as much as one of 1.
	Quadratic Weight = 2
)

// WeightedKappa is Cohen's weighted kappa for ordered levels: 1 − Σ w·observed /
// Σ w·expected with w = (|i−j|/(K−1))^weight over the K levels of the declared
// scale from lo to hi, whether or not they occur. ok is false if there are no
// items, a level is off the scale, the scale has fewer than two levels, or both
// raters always gave the same single level. Source: Cohen, Psychological Bulletin
// 70, 1968.
func WeightedKappa(a, b []int, lo, hi int, weight Weight) (kappa float64, ok bool) {
	if len(a) == 0 || len(a) != len(b) || hi <= lo {
		return 0, false
	}
	cost := func(x, y int) float64 {
		return math.Pow(math.Abs(float64(x-y))/float64(hi-lo), float64(weight))
	}
	observed := 0.0
	for i := range a {
		if a[i] < lo || a[i] > hi || b[i] < lo || b[i] > hi {
			return 0, false
		}
		observed += cost(a[i], b[i])
	}
	expected := 0.0
	na, nb := counts(a), counts(b)
	for _, x := range sortedKeys(na) {
		for _, y := range sortedKeys(nb) {
			expected += cost(x, y) * float64(na[x]) * float64(nb[y])
		}
	}
	if expected == 0 {
		return 0, false
	}
	return 1 - observed*float64(len(a))/expected, true
}

// sortedKeys makes the order of summation deterministic.
func sortedKeys(m map[int]int) []int {
	keys := make([]int, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
