package stats

import (
	"encoding/json"
	"fmt"
	"math"
)

// Bounds collects scores between 0 and 1 for an interval that is valid at all times
// simultaneously: one may look at it after every score, and the probability that it
// ever misses is at most alpha, from the first score on and for every distribution.
//
// What it covers is the mean of the scores' means so far, each given all scores before
// it. If the scores have one mean, this is that mean; if the mean moves, it is the
// average of where it was. For this reason the intervals of different times are not
// intersected: an earlier one says nothing of a mean that has moved since.
//
// Each end comes from a mean of supermartingales, exp(λS − n·ln(1 + m(e^λ − 1))) for a
// list of λ, which is best for hits and misses, and exp(λ(S − nm) + (λ + ln(1−λ))·V)
// for another, which is better for graded scores: S is the sum of n scores, V the sum
// of their squared distances from the mean of those before. It is where that mean
// reaches 2/alpha. The first is Hoeffding's bound on a bounded variable's moments and
// holds for moving means because the logarithm is concave; the second is from Howard,
// Ramdas, McAuliffe and Sekhon, "Time-uniform, nonparametric, nonasymptotic confidence
// sequences", arXiv 1810.08240, theorem 4. [ConfidenceSequence] needs no bounds of the
// scores and is narrower, but relies on a standard deviation that is measured: with
// rare failures it misses far too often, see docs/results/bounds.md.
//
// Bounds takes the same memory however many scores it has seen, and can be kept as
// JSON, which restores it exactly. The zero value has seen none.
type Bounds struct {
	// N is the number of scores.
	N int `json:"n"`
	// Sum is their sum.
	Sum float64 `json:"sum"`
	// Squares is the sum of their squared distances from the mean of the scores
	// before each and one more of 0.5.
	Squares float64 `json:"squares"`
}

// The λ of [Bounds], halved from the largest on. The smallest is the best one for
// some millions of scores. With large ones the first few failures count.
const (
	mostHits, hitsSteps     = 4.0, 11
	mostGraded, gradedSteps = 0.8, 8
)

// Add adds a score. It reports false, and changes nothing, if x is not between 0 and 1.
func (b *Bounds) Add(x float64) bool {
	if !isShare(x) {
		return false
	}
	d := x - (b.Sum+0.5)/float64(b.N+1)
	// The conversion rounds the product, as not every processor would.
	b.Squares += float64(d * d)
	b.Sum += x
	b.N++
	return true
}

// Mean is the mean of the scores; ok is false without any.
func (b *Bounds) Mean() (mean float64, ok bool) {
	if b.N == 0 {
		return 0, false
	}
	return b.Sum / float64(b.N), true
}

// Interval is the interval that ever misses with a probability of alpha at most: see
// [Bounds]. It contains the mean of the scores. ok is false without scores, or if
// alpha is not between 0 and 1.
func (b *Bounds) Interval(alpha float64) (ci Interval, ok bool) {
	if b.N == 0 || !isLevel(alpha) {
		return ci, false
	}
	n := float64(b.N)
	// The upper end is the lower one of what the scores lack to 1.
	return Interval{lowest(n, b.Sum, b.Squares, alpha/2), 1 - lowest(n, n-b.Sum, b.Squares, alpha/2)}, true
}

// lowest is the smallest mean that the sum of n scores does not contradict: where the
// mixture, which falls as the mean rises, reaches 1/alpha.
func lowest(n, sum, squares, alpha float64) float64 {
	limit := -math.Log(alpha)
	if mixture(n, sum, squares, 0) < limit {
		return 0
	}
	low, high := 0.0, sum/n
	for range 60 { // beyond the digits of a float64
		mid := (low + high) / 2
		if mixture(n, sum, squares, mid) < limit {
			high = mid
		} else {
			low = mid
		}
	}
	return low
}

// mixture is the logarithm of the mean of the supermartingales for the mean m.
func mixture(n, sum, squares, m float64) float64 {
	var logs [hitsSteps + gradedSteps]float64
	for i := range hitsSteps {
		lambda := math.Ldexp(mostHits, -i)
		logs[i] = lambda*sum - n*math.Log1p(m*math.Expm1(lambda)) - math.Log(2*hitsSteps)
	}
	for i := range gradedSteps {
		lambda := math.Ldexp(mostGraded, -i)
		logs[hitsSteps+i] = lambda*(sum-n*m) + (lambda+math.Log1p(-lambda))*squares - math.Log(2*gradedSteps)
	}
	most := logs[0]
	for _, v := range logs {
		most = max(most, v)
	}
	var total float64
	for _, v := range logs {
		total += math.Exp(v - most)
	}
	return most + math.Log(total)
}

// UnmarshalJSON decodes what Bounds was encoded as, and refuses what no scores give.
func (b *Bounds) UnmarshalJSON(data []byte) error {
	type plain Bounds // without this method
	var v plain
	if err := json.Unmarshal(data, &v); err != nil {
		return fmt.Errorf("state of bounds: %w", err)
	}
	n := float64(v.N)
	switch {
	case v.N < 0:
		return fmt.Errorf("state of bounds: n %d must be 0 or more", v.N)
	case !(v.Sum >= 0 && v.Sum <= n):
		return fmt.Errorf("state of bounds: sum %v must be 0 to n, which is %d", v.Sum, v.N)
	case !(v.Squares >= 0 && v.Squares <= n):
		return fmt.Errorf("state of bounds: squares %v must be 0 to n, which is %d", v.Squares, v.N)
	}
	*b = Bounds(v)
	return nil
}
