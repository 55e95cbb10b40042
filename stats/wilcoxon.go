package stats

import (
	"cmp"
	"iter"
	"math"
	"slices"
)

// Ranks is the result of Wilcoxon's test.
type Ranks struct {
	// N counts the differences that are not 0.
	N int `json:"n"`
	// Plus and Minus are the rank sums of gains and of losses; together N(N+1)/2.
	Plus  float64 `json:"plus"`
	Minus float64 `json:"minus"`
	// P is two-sided.
	P float64 `json:"p"`
	// Exact is set if P counts all sign patterns; otherwise P is approximate.
	Exact bool `json:"exact"`
}

// exactRanks is the largest number of differences for an exact test: 2^25
// patterns, and all sums of them, are exact in a float64, and the normal
// approximation is close beyond.
const exactRanks = 25

// Wilcoxon is the signed-rank test of differences that are symmetric about 0.
// Zeros are dropped and equal absolute values share the mean of their ranks; both
// within 1e-12, so that rounding does not break ties. Up to 25 differences the
// two-sided p is exact, including ties:
//
//	p = 2·#{patterns with W ≤ min(W₊, W₋)}/2^N, at most 1
//
// Beyond, it is normal with corrections for ties and continuity:
//
//	z = (|W₊ − N(N+1)/4| − 1/2)/√(N(N+1)(2N+1)/24 − Σ(t³−t)/48)
//
// Without differences p is 1. The test is about symmetry, not the mean: with many
// small gains and few large losses it reports a difference although the mean has
// none, the more surely the more cases there are. ok is false with a number that
// is not finite. Source: Wilcoxon, Biometrics Bulletin 1945; matches
// scipy.stats.wilcoxon.
func Wilcoxon(diffs []float64) (r Ranks, ok bool) {
	if !finite(diffs) {
		return r, false
	}
	var x []float64
	for _, d := range diffs {
		if math.Abs(d) > tie {
			x = append(x, d)
		}
	}
	slices.SortFunc(x, func(a, b float64) int { return cmp.Compare(math.Abs(a), math.Abs(b)) })
	r = Ranks{N: len(x), P: 1, Exact: len(x) <= exactRanks}
	if r.N == 0 {
		return r, true
	}
	// Ranks are doubled so that the mean of two is whole.
	doubled := make([]int, r.N)
	ties := 0.0
	for from, to := range equalSizes(x) {
		for i := from; i < to; i++ {
			doubled[i] = from + 1 + to
			if x[i] > 0 {
				r.Plus += float64(doubled[i]) / 2
			}
		}
		t := float64(to - from)
		ties += t*t*t - t
	}
	n := float64(r.N)
	r.Minus = n*(n+1)/2 - r.Plus
	if r.Exact {
		r.P = rankTail(doubled, int(2*min(r.Plus, r.Minus)))
		return r, true
	}
	// ties is at most n³ − n, so the variance is positive.
	sd := math.Sqrt(n*(n+1)*(2*n+1)/24 - ties/48)
	z := max(0, math.Abs(r.Plus-n*(n+1)/4)-0.5) / sd
	r.P = min(1, 2*zSurvival(z))
	return r, true
}

// equalSizes yields the ranges of equal absolute values, which increase.
func equalSizes(x []float64) iter.Seq2[int, int] {
	return func(yield func(from, to int) bool) {
		for from := 0; from < len(x); {
			to := from + 1
			for to < len(x) && math.Abs(x[to])-math.Abs(x[to-1]) <= tie {
				to++
			}
			if !yield(from, to) {
				return
			}
			from = to
		}
	}
}

// signedRanks returns, for each difference, its rank with its sign; 0 for one that
// is 0. Ranks are doubled.
func signedRanks(diffs []float64) []float64 {
	var at []int
	for i, d := range diffs {
		if math.Abs(d) > tie {
			at = append(at, i)
		}
	}
	slices.SortStableFunc(at, func(a, b int) int { return cmp.Compare(math.Abs(diffs[a]), math.Abs(diffs[b])) })
	x := make([]float64, len(at))
	for k, i := range at {
		x[k] = diffs[i]
	}
	out := make([]float64, len(diffs))
	for from, to := range equalSizes(x) {
		for k := from; k < to; k++ {
			out[at[k]] = math.Copysign(float64(from+1+to), x[k])
		}
	}
	return out
}

// rankTail is twice the share of sign patterns whose doubled rank sum is at most
// limit. ways[s] counts the patterns with the sum s.
func rankTail(doubled []int, limit int) float64 {
	ways := make([]float64, limit+1)
	ways[0] = 1
	for _, rank := range doubled {
		for s := limit; s >= rank; s-- {
			ways[s] += ways[s-rank]
		}
	}
	sum := 0.0
	for _, w := range ways {
		sum += w
	}
	return min(1, math.Ldexp(2*sum, -len(doubled)))
}
