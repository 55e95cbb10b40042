package accuracy

import (
	"math"
	"math/rand/v2"
	"sort"
)

// poolLevel is the confidence level of what is estimated from a sample.
const poolLevel = 0.95

// sample draws k of n numbers without replacement, in order. The same seed and
// stream draw the same.
func sample(n, k int, seed, stream uint64) []int {
	order := rand.New(rand.NewPCG(seed, stream)).Perm(n)
	out := order[:max(0, min(k, n))]
	sort.Ints(out)
	return out
}

// estimate gives the number of relevant chunks of a corpus of which found are in
// the pool, all of which was judged, and x of the n that were drawn from the
// rest: found + rest·x/n, the estimator of Horvitz and Thompson for two strata,
// one of which was judged whole. It has no bias.
//
// The interval inverts the hypergeometric test: it holds the numbers of relevant
// chunks in the rest under which neither so few nor so many in the sample have a
// probability below half of what the level leaves. Its coverage is at least the
// level (Buonaccorsi, The American Statistician 41, 1987).
//
// Not ok when there is a rest and nothing was drawn from it.
func estimate(found, x, n, rest int) (relevant float64, interval [2]float64, ok bool) {
	if rest == 0 {
		return float64(found), [2]float64{float64(found), float64(found)}, true
	}
	if n == 0 {
		return 0, [2]float64{}, false
	}
	tail := (1 - poolLevel) / 2
	// Of K = 0…rest relevant ones, x and more become more likely with K, x and
	// fewer less.
	low := sort.Search(rest, func(k int) bool { return atLeast(x, n, k, rest) > tail })
	high := rest - sort.Search(rest, func(j int) bool { return atMost(x, n, rest-j, rest) > tail })
	return float64(found) + float64(rest)*float64(x)/float64(n), [2]float64{float64(found + low), float64(found + high)}, true
}

// atLeast is the probability that x or more of n chunks drawn from rest are
// among the k relevant ones, atMost that x or fewer are.
func atLeast(x, n, k, rest int) float64 { return hypergeometric(x, min(n, k), n, k, rest) }
func atMost(x, n, k, rest int) float64  { return hypergeometric(max(0, n+k-rest), x, n, k, rest) }

// hypergeometric sums the probabilities that from to to of n chunks drawn from
// rest are among k.
func hypergeometric(from, to, n, k, rest int) float64 {
	from, to = max(from, n+k-rest, 0), min(to, n, k)
	all := choose(rest, n)
	p := 0.0
	for i := from; i <= to; i++ {
		p += math.Exp(choose(k, i) + choose(rest-k, n-i) - all)
	}
	return min(1, p)
}

// choose is the logarithm of the binomial coefficient.
func choose(n, k int) float64 {
	lgamma := func(v int) float64 { l, _ := math.Lgamma(float64(v) + 1); return l }
	return lgamma(n) - lgamma(k) - lgamma(n-k)
}
