package stats

import (
	"cmp"
	"math"
	"slices"
)

// A bag is a number of equal clusters: times of them have the sum and the size n.
type bag struct{ sum, n, times float64 }

// A weighed mean of bounded values is
//
//	(E₀·n₀·end + Σ E_g·s_g) / (E₀·n₀ + Σ E_g·n_g)
//
// where E_g are independent exponentials, s and n the sums and sizes of the clusters, and
// the first term is a cluster that nobody saw: all of its values are at the end of the
// range, its size n₀ is that of the cluster of a value, and E₀ is a gamma variable with the
// mean unseen. The alpha-quantile is the lower bound of the mean at the level 1 − alpha.
//
// With unseen = 1 it is Gaffke's bound ("Three test statistics for a nonparametric one-sided
// hypothesis on the mean of a nonnegative variable", Mathematical Methods of Statistics 14,
// 2005). It holds for every distribution in the range and every number of values, also if
// rare losses are not among them. For independent values of 0 and 1 it is the bound of
// Clopper and Pearson, and for the differences of two systems' hits the exact sign test.
//
// Each of two such bounds misses in at most alpha. Both together miss less often than
// that, because rare values are at one end. With unseen = 0.75 an interval of two bounds
// still holds the mean at its level, and agrees with mid-p (docs/results/statistics.md).
const (
	oneSided = 1.0
	twoSided = 0.75
)

// bags counts equal clusters, shifted by −shift per value and mirrored for a sign of −1.
func bags(groups []cluster, sign float64) []bag {
	out := make([]bag, len(groups))
	for i, g := range groups {
		out[i] = bag{sign * g.sum, g.n, 1}
	}
	slices.SortFunc(out, func(a, b bag) int { return cmp.Or(cmp.Compare(a.sum, b.sum), cmp.Compare(a.n, b.n)) })
	n := 0
	for _, b := range out {
		if n > 0 && out[n-1].sum == b.sum && out[n-1].n == b.n {
			out[n-1].times++
			continue
		}
		out[n] = b
		n++
	}
	return out[:n]
}

// boundsWithin returns the bounds of the mean of the clusters' values, which are from lo to
// hi, each at the level 1 − alpha.
func boundsWithin(groups []cluster, lo, hi, alpha, unseen float64) Interval {
	return Interval{lowerBound(bags(groups, 1), lo, alpha, unseen), -lowerBound(bags(groups, -1), -hi, alpha, unseen)}
}

// correctedWithin returns the interval of a mean of which rest was left out: of mean, the
// groups are weighted labels minus what the judge says of them, from lo to hi, and the
// judge's part has the error extra at the same level.
func correctedWithin(mean float64, groups []cluster, lo, hi, extra, level float64, possible Interval) Interval {
	ci := boundsWithin(groups, lo, hi, (1-level)/2, twoSided)
	var sum, n float64
	for _, g := range groups {
		sum, n = sum+g.sum, n+g.n
	}
	return Interval{mean - math.Hypot(sum/n-ci.Lo, extra), mean + math.Hypot(ci.Hi-sum/n, extra)}.Clip(possible.Lo, possible.Hi)
}

// withEnd adds the cluster that nobody saw.
func withEnd(seen []bag, lo, unseen float64) (all []bag, mean float64) {
	var sum, n, alike float64
	for _, b := range seen {
		sum, n, alike = sum+b.times*b.sum, n+b.times*b.n, alike+b.times*b.n*b.n
	}
	alike /= n
	return append(slices.Clip(seen), bag{lo * alike, alike, unseen}), sum / n
}

// lowerBound returns the lower bound of the mean of values that are at least lo.
func lowerBound(seen []bag, lo, alpha, unseen float64) float64 {
	all, mean := withEnd(seen, lo, unseen)
	// Beside the bound itself, differences would underflow.
	if mean-lo <= 1e-100*max(1, math.Abs(lo)) {
		return lo
	}
	want := zQuantile(alpha)
	low, high := lo, mean
	var sum, n, ss float64
	for _, b := range all {
		sum, n = sum+b.times*b.sum, n+b.times*b.n
	}
	for _, b := range all {
		ss += b.times * (b.sum - b.n*sum/n) * (b.sum - b.n*sum/n)
	}
	// The score is nearly linear in m, so that secants find its root.
	at := sum/n + want*math.Sqrt(ss)/n
	m, s, before, was := at, 0.0, mean, 0.0
	for k := range 100 {
		if !(m > low && m < high) || k > 20 {
			m = (low + high) / 2
		}
		var r float64
		r, s = belowScore(all, m, s)
		if r < want {
			low = m
		} else {
			high = m
		}
		if math.Abs(r-want) < 1e-9 || high-low <= 1e-12*(mean-lo) {
			break
		}
		next := m - (r-want)*(m-before)/(r-was)
		before, was, m = m, r, next
	}
	return max(lo, min(m, mean))
}

// belowScore returns the normal quantile of the probability that the weighed mean is below
// m, by the saddlepoint approximation of Lugannani and Rice (Advances in Applied
// Probability 12, 1980) in the form of Barndorff-Nielsen, which is right to 1 %; and the
// saddlepoint, from which the next call starts.
func belowScore(all []bag, m, s float64) (r, at float64) {
	least, most := 0.0, 0.0
	for _, b := range all {
		a := b.sum - b.n*m
		least, most = min(least, a), max(most, a)
	}
	switch {
	case least == 0:
		return math.Inf(-1), 0
	case most == 0:
		return math.Inf(1), 0
	}
	lo, hi := 1/least, 1/most
	if !(s > lo && s < hi) {
		s = 0
	}
	var k, k1, k2 float64
	for range 200 {
		k, k1, k2 = 0, 0, 0
		for _, b := range all {
			a := b.sum - b.n*m
			x := a / (1 - s*a)
			k1 += b.times * x
			k2 += b.times * x * x
		}
		if k1 > 0 {
			hi = s
		} else {
			lo = s
		}
		next := s - k1/k2
		if !(next > lo && next < hi) {
			next = (lo + hi) / 2
		}
		if math.Abs(next-s) <= 1e-10*math.Abs(next) {
			break
		}
		s = next
	}
	for _, b := range all {
		k -= b.times * math.Log1p(-s*(b.sum-b.n*m))
	}
	w, u := math.Copysign(math.Sqrt(max(0, -2*k)), s), s*math.Sqrt(k2)
	// Near the mean both are 0, and their ratio is not.
	if math.Abs(w) < 1e-5 {
		return 0, s
	}
	return w + math.Log(u/w)/w, s
}

// belowShare returns the p-value of the hypothesis that the mean is m or less.
func belowShare(seen []bag, lo, m, unseen float64) float64 {
	all, mean := withEnd(seen, lo, unseen)
	switch {
	case m <= lo:
		return 0
	case m >= mean:
		return max(0.5, zSurvival(-first(belowScore(all, m, 0))))
	}
	return zSurvival(-first(belowScore(all, m, 0)))
}

func first[A, B any](a A, _ B) A { return a }

// clearing returns how many times as many clusters like these would show at the level
// 1 − alpha that the mean is above m; ok is false if their mean is not.
func clearing(seen []bag, lo, m, alpha float64) (times float64, ok bool) {
	_, mean := withEnd(seen, lo, oneSided)
	if mean <= m || m <= lo {
		return 0, false
	}
	shown := func(times float64) bool {
		more := slices.Clone(seen)
		for i := range more {
			more[i].times *= times
		}
		return belowShare(more, lo, m, oneSided) < alpha
	}
	low, high := 0.0, 1.0
	for !shown(high) {
		if low, high = high, 2*high; high > 1e6 {
			return 0, false
		}
	}
	for range 20 {
		if mid := (low + high) / 2; shown(mid) {
			high = mid
		} else {
			low = mid
		}
	}
	return high, true
}
