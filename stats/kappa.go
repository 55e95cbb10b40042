package stats

import (
	"math"
	"slices"
)

// Agreement is the share of items to which two raters gave the same label. It
// is not ok when there are none or the lists differ in length.
func Agreement[T comparable](a, b []T) (share float64, ok bool) {
	if len(a) == 0 || len(a) != len(b) {
		return 0, false
	}
	same := 0
	for i := range a {
		if a[i] == b[i] {
			same++
		}
	}
	return float64(same) / float64(len(a)), true
}

// Kappa is Cohen's: (po − pe)/(1 − pe), po the agreement and pe that of raters
// who give labels at random, each as often as it does: Σ_c share_a(c)·share_b(c).
// Range [−1,1]. It is not ok when pe is 1, because both always gave the same one
// label; print the agreement then. With labels of very unequal frequency it is
// low even where nearly all agree: see [AC1], and print the prevalence with it.
// Source: Cohen, Educational and Psychological Measurement 20, 1960.
func Kappa[T comparable](a, b []T) (kappa float64, ok bool) {
	po, ok := Agreement(a, b)
	if !ok {
		return 0, false
	}
	na, nb := counts(a), counts(b)
	// In whole numbers, so that always the same label is exactly 1.
	same := 0
	for c, n := range na {
		same += n * nb[c]
	}
	square := len(a) * len(a)
	if same == square {
		return 0, false
	}
	pe := float64(same) / float64(square)
	return (po - pe) / (1 - pe), true
}

func counts[T comparable](labels []T) map[T]int {
	n := map[T]int{}
	for _, l := range labels {
		n[l]++
	}
	return n
}

// AC1 is Gwet's agreement corrected for chance, which holds where one label is
// rare: (po − pe)/(1 − pe) with pe = Σ_c π_c(1−π_c)/(K−1), π_c the mean of both
// raters' shares of label c, K the number of labels that occur. Not ok when
// fewer than two labels occur. Source: Gwet, British Journal of Mathematical and
// Statistical Psychology 61, 2008.
func AC1[T comparable](a, b []T) (ac1 float64, ok bool) {
	po, ok := Agreement(a, b)
	if !ok {
		return 0, false
	}
	n := counts(slices.Concat(a, b))
	if len(n) < 2 {
		return 0, false
	}
	// Σπ(1−π) = 1 − Σπ², summed in whole numbers: the order of a map is random.
	squares, total := 0, 2*len(a)
	for _, k := range n {
		squares += k * k
	}
	pe := (1 - float64(squares)/float64(total*total)) / float64(len(n)-1)
	return (po - pe) / (1 - pe), true
}

// A Weight is how the cost of a disagreement grows with its distance.
type Weight float64

const (
	// Linear weights: a distance of 2 costs twice as much as one of 1.
	Linear Weight = 1
	// Quadratic weights: it costs four times as much.
	Quadratic Weight = 2
)

// WeightedKappa is Cohen's kappa for levels: 1 − Σ w·observed / Σ w·expected
// with w = (|i−j|/(K−1))^weight over the K levels from lo to hi of the declared
// scale, whether they occur or not. It is not ok when there is no item, a level
// is off the scale, the scale has fewer than two levels, or both raters always
// gave the same one level. Source: Cohen, Psychological Bulletin 70, 1968.
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

// sortedKeys fixes the order of a sum.
func sortedKeys(m map[int]int) []int {
	keys := make([]int, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
