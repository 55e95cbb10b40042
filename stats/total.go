package stats

import (
	"math"
	"sort"
)

// SampledTotal estimates how many items have a property. Of those examined
// individually, found have it; of n items drawn at random from the rest, x have it.
// The estimate is found + rest·x/n, the unbiased
// Horvitz-Thompson estimator for two strata, one of which is examined completely.
//
// The interval inverts the hypergeometric test: it contains the totals for which
// neither x or fewer nor x or more in the sample have a probability below half of
// 1 − level. Its coverage is at least the level (Buonaccorsi, The American
// Statistician 41, 1987).
//
// ok is false if there is a rest and nothing was drawn from it.
func SampledTotal(found, x, n, rest int, level float64) (total float64, interval [2]float64, ok bool) {
	if rest == 0 {
		return float64(found), [2]float64{float64(found), float64(found)}, true
	}
	if n == 0 {
		return 0, [2]float64{}, false
	}
	tail := (1 - level) / 2
	// For K = 0…rest items with the property, the probability of x or more rises
	// with K, and that of x or fewer falls.
	low := sort.Search(rest, func(k int) bool { return hypergeometric(x, min(n, k), n, k, rest) > tail })
	high := rest - sort.Search(rest, func(j int) bool { return hypergeometric(max(0, n-j), x, n, rest-j, rest) > tail })
	total = float64(found) + float64(rest)*float64(x)/float64(n)
	return total, [2]float64{float64(found + low), float64(found + high)}, true
}

// hypergeometric is the probability that from to to of n items drawn from rest
// are among k.
func hypergeometric(from, to, n, k, rest int) float64 {
	from, to = max(from, n+k-rest, 0), min(to, n, k)
	all := logChoose(rest, n)
	p := 0.0
	for i := from; i <= to; i++ {
		p += math.Exp(logChoose(k, i) + logChoose(rest-k, n-i) - all)
	}
	return min(1, p)
}

// logChoose is the logarithm of the binomial coefficient.
func logChoose(n, k int) float64 {
	lgamma := func(v int) float64 { l, _ := math.Lgamma(float64(v) + 1); return l }
	return lgamma(n) - lgamma(k) - lgamma(n-k)
}
