package stats

import (
	"cmp"
	"math"
	"slices"
)

// A bag is a number of equal items: times of them have the sum and the size n.
type bag struct{ sum, n, times float64 }

// A weighed mean of bounded values is
//
//	(E₀·n₀·end + Σ E_i·s_i) / (E₀·n₀ + Σ E_i·n_i)
//
// where E_i are independent exponentials, s and n the sums and sizes of the items, and the
// first term is an item that nobody saw: its value is at the end of the range, its size n₀ is
// their weighted mean, and E₀ is a gamma variable with the mean unseen. The alpha-quantile is the lower bound of the mean at the level 1 − alpha.
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

// A boundedMean is what a bound of the mean of items needs: their distances from an end of the
// range, and the degrees of freedom of the design effect, which are infinite without clusters.
type boundedMean struct {
	seen []bag
	df   float64
}

// boundedFrom prepares items for a bound beyond an end; sign is 1 for the lower one, and −1
// for the upper one. Items that share clusters count as fewer independent ones, each as
// 1/[designEffect], and the quantile is Student's.
func boundedFrom(end, sign float64, items []bag, groups []cluster) boundedMean {
	m, times := boundedMean{make([]bag, len(items)), math.Inf(1)}, 1.0
	if len(groups) < len(items) {
		times, m.df = designEffect(items, groups)
		times = 1 / times
	}
	for i, it := range items {
		m.seen[i] = bag{max(0, sign*(it.sum-end*it.n)), it.n, it.times * times}
	}
	slices.SortFunc(m.seen, func(a, b bag) int { return cmp.Or(cmp.Compare(a.sum, b.sum), cmp.Compare(a.n, b.n)) })
	n := 0
	for _, b := range m.seen {
		if n > 0 && m.seen[n-1].sum == b.sum && m.seen[n-1].n == b.n {
			m.seen[n-1].times += b.times
			continue
		}
		m.seen[n] = b
		n++
	}
	m.seen = m.seen[:n]
	return m
}

// designEffect returns how many times the variance of the mean of items in clusters is that
// of independent items (Rao and Scott, Biometrics 48, 1992): from 1 to what it is if all items
// of a cluster are equal. Its degrees of freedom are one less than the number of clusters of
// the same size that hold as much: one cluster of half of the items says little of others.
func designEffect(items []bag, groups []cluster) (effect, df float64) {
	var sum, n, squares, alike, apart, together float64
	for _, it := range items {
		sum, n, squares = sum+it.sum, n+it.n, squares+it.n*it.n
	}
	for _, it := range items {
		apart += (it.sum - it.n*sum/n) * (it.sum - it.n*sum/n)
	}
	for _, g := range groups {
		together += (g.sum - g.n*sum/n) * (g.sum - g.n*sum/n)
		alike += g.n * g.n
	}
	df = max(1, n*n/alike-1)
	alike /= squares
	if apart <= rounding*rounding*sum*sum {
		return alike, df
	}
	k, g := float64(len(items)), float64(len(groups))
	return min(max(1, together*g/(g-1)/(apart*k/(k-1))), alike), df
}

// boundsWithin returns the bounds of the mean of the items, which are from lo to hi, each at
// the level 1 − alpha.
func boundsWithin(items []bag, groups []cluster, lo, hi, alpha, unseen float64) Interval {
	return Interval{
		lo + boundedFrom(lo, 1, items, groups).nearest(alpha, unseen),
		hi - boundedFrom(hi, -1, items, groups).nearest(alpha, unseen),
	}
}

// correctedWithin returns the interval of a mean of which rest was left out: of mean, the
// items are weighted labels minus what the judge says of them, from lo to hi, and the
// judge's part has the error extra at the same level.
func correctedWithin(mean float64, items []bag, groups []cluster, lo, hi, extra, level float64, possible Interval) Interval {
	ci := boundsWithin(items, groups, lo, hi, (1-level)/2, twoSided)
	var sum, n float64
	for _, it := range items {
		sum, n = sum+it.times*it.sum, n+it.times*it.n
	}
	return Interval{mean - math.Hypot(sum/n-ci.Lo, extra), mean + math.Hypot(ci.Hi-sum/n, extra)}.Clip(possible.Lo, possible.Hi)
}

// withEnd adds the item that nobody saw.
func (m boundedMean) withEnd(unseen float64) (all []bag, mean float64) {
	var sum, n, alike float64
	for _, b := range m.seen {
		sum, n, alike = sum+b.times*b.sum, n+b.times*b.n, alike+b.times*b.n*b.n
	}
	return append(slices.Clip(m.seen), bag{0, alike / n, unseen}), sum / n
}

// nearest returns the least distance of the mean from the end at the level 1 − alpha.
func (m boundedMean) nearest(alpha, unseen float64) float64 {
	all, mean := m.withEnd(unseen)
	// Smaller differences would underflow.
	if mean <= 1e-100 {
		return 0
	}
	want := zQuantile(alpha)
	if !math.IsInf(m.df, 0) {
		want = TQuantile(alpha, m.df)
	}
	low, high := 0.0, mean
	var sum, n, ss float64
	for _, b := range all {
		sum, n = sum+b.times*b.sum, n+b.times*b.n
	}
	for _, b := range all {
		ss += b.times * (b.sum - b.n*sum/n) * (b.sum - b.n*sum/n)
	}
	// The score is nearly linear in x, so that secants find its root.
	x, s, before, was := sum/n+want*math.Sqrt(ss)/n, 0.0, mean, 0.0
	for k := range 100 {
		if !(x > low && x < high) || k > 20 {
			x = (low + high) / 2
		}
		var r float64
		r, s = belowScore(all, x, s)
		if r < want {
			low = x
		} else {
			high = x
		}
		if math.Abs(r-want) < 1e-9 || high-low <= 1e-12*mean {
			break
		}
		next := x - (r-want)*(x-before)/(r-was)
		before, was, x = x, r, next
	}
	return max(0, min(x, mean))
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

// share returns the p-value of the hypothesis that the mean is x or less from the end.
func (m boundedMean) share(x, unseen float64) float64 {
	if x <= 0 {
		return 0
	}
	all, mean := m.withEnd(unseen)
	score, _ := belowScore(all, x, 0)
	p := zSurvival(-score)
	if !math.IsInf(m.df, 0) {
		p = tSurvival(-score, m.df)
	}
	if x >= mean {
		return max(0.5, p)
	}
	return p
}

// clearing returns how many times as many items like these would show at the level 1 − alpha
// that the mean is more than x from the end; ok is false if their mean is not.
func (m boundedMean) clearing(x, alpha float64) (times float64, ok bool) {
	if _, mean := m.withEnd(oneSided); mean <= x || x <= 0 {
		return 0, false
	}
	shown := func(times float64) bool {
		more := boundedMean{slices.Clone(m.seen), times*(m.df+1) - 1}
		for i := range more.seen {
			more.seen[i].times *= times
		}
		return more.share(x, oneSided) < alpha
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
