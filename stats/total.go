package stats

import (
	"math"
	"sort"
)

// SampledTotal estimates how many of found + rest items have a property: found of
// those that were examined one by one have it, and x of the n that were drawn at
// random from the rest. The estimate is found + rest·x/n, the estimator of
// Horvitz and Thompson for two strata of which one is examined whole. It has no
// bias.
//
// The interval inverts the hypergeometric test: it holds the totals under which
// neither x or fewer nor x or more in the sample have a probability below half of
// 1 − level. Its coverage is at least the level (Buonaccorsi, The American
// Statistician 41, 1987).
//
// ok is false when there is a rest and nothing was drawn from it.
func SampledTotal(found, x, n, rest int, level float64) (total float64, interval [2]float64, ok bool) {
	if rest == 0 {
		return float64(found), [2]float64{float64(found), float64(found)}, true
	}
	if n == 0 {
		return 0, [2]float64{}, false
	}
	tail := (1 - level) / 2
	// Of K = 0…rest items with the property, x and more become more likely with
	// K, x and fewer less.
	low := sort.Search(rest, func(k int) bool { return hypergeometric(x, min(n, k), n, k, rest) > tail })
	high := rest - sort.Search(rest, func(j int) bool { return hypergeometric(max(0, n-j), x, n, rest-j, rest) > tail })
	total = float64(found) + float64(rest)*float64(x)/float64(n)
	return total, [2]float64{float64(found + low), float64(found + high)}, true
}

// hypergeometric sums the probabilities that from to to of n items drawn from
// rest are among k.
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
