package stats

import (
	"math"
	"math/rand/v2"
	"slices"
)

// A Count is one case's contribution to a pooled ratio, such as errors and words.
type Count struct {
	Num, Den float64
	// Cluster is "" for an independent case.
	Cluster string
}

// resamples is the number of bootstrap resamples; the Monte Carlo error of a
// bound is then about 1 % of the interval's width.
const resamples = 10_000

// PooledRatio returns the interval of ΣNum/ΣDen, whose possible values are given. It is nil with
// fewer than two clusters, unless the one is a single count of a share, with a number that is not finite, or if the level is not
// between 0 and 1.
//
// From [fewResampled] clusters on it is the percentile bootstrap interval, resampling whole
// clusters with a generator seeded by seed, without the resamples with a denominator of 0; above 2,000 clusters the
// quantiles of the bootstrap distribution come from its Edgeworth expansion, where that is accurate: see [Tally.Ratio].
// Fewer clusters, and clusters of one rate, hardly differ when they are resampled: see [fewRatio].
// Nor do those of which few have any Num: see [Interval.holdRare].
func PooledRatio(counts []Count, possible Interval, level float64, seed uint64) *Interval {
	var groups []ratioCount
	at := grouping{}
	for _, c := range counts {
		i := at.index(c.Cluster, len(groups))
		if i == len(groups) {
			groups = append(groups, ratioCount{})
		}
		groups[i].num += c.Num
		groups[i].den += c.Den
		if !isFinite(c.Num) || !isFinite(c.Den) {
			return nil
		}
	}
	// A cluster in which nothing is counted has no rate.
	said := max(0, slices.IndexFunc(groups, func(g ratioCount) bool { return g.den != 0 }))
	uneven := func(g ratioCount) bool { return g.num*groups[said].den != groups[said].num*g.den }
	var ci *Interval
	switch {
	case !slices.ContainsFunc(groups, uneven) || len(groups) < fewResampled:
		return fewRatio(counts, groups, possible, level)
	case len(groups) <= resampledClusters:
		ci = resampledRatio(groups, level, seed)
	default:
		var t Tally
		for _, g := range groups {
			t.Add(g.num, g.den)
		}
		ci = t.Ratio(level, seed)
	}
	all := make([]repeated, len(groups))
	for i, g := range groups {
		all[i] = repeated{g, 1}
	}
	if ci.holdRare(all, level, false); possible == (Interval{0, 1}) {
		ci.holdRare(all, level, true)
	}
	return ci
}

// holdRare widens the interval of a ratio to that of its logarithm, or that of what the ratio lacks to 1, if no more than half
// of the counts have any. A few of them hardly differ when they are resampled: a rate just above the resampled end
// of one error in 80 counts gives no more errors in 19 % of samples.
func (ci *Interval) holdRare(all []repeated, level float64, lack bool) {
	var n, rare, num, den, squares float64
	for i, c := range all {
		if lack {
			all[i].num = c.den - c.num
		}
		n, num, den = n+c.times, num+c.times*all[i].num, den+c.times*c.den
		if all[i].num != 0 {
			rare += c.times
		}
	}
	if ci == nil || rare == 0 || 2*rare > n {
		return
	}
	for _, c := range all {
		e := c.num - num/den*c.den
		squares += c.times * e * e
	}
	most := num / den * math.Exp(TQuantile((1+level)/2, n-1)*math.Sqrt(squares*n/(n-1))/num)
	if lack {
		ci.Lo = max(0, min(ci.Lo, 1-most))
	} else {
		ci.Hi = max(ci.Hi, most)
	}
}

// fewRatio is the interval of a ratio without resampling. That of a share, of which every Num is from 0 to Den, is the
// interval of a mean: [MeanWithin], or [boundsWithin] if the Den differ. Others have the wider of Student's interval of the
// residuals Num − R·Den with and without its correction for skewness; from three to [fewToSkew] clusters the upper end is at
// least that of the logarithm of the ratio. In simulations of speakers whose error rates vary, 95 % intervals hold the rate in
// 91 % and more of samples of 2 to 100 clusters; there is none if all rates are equal.
func fewRatio(counts []Count, groups []ratioCount, possible Interval, level float64) *Interval {
	var num, den, alike float64
	share, same := possible == Interval{0, 1}, true
	shares, items := make([]Sample, len(counts)), make([]bag, len(counts))
	for i, c := range counts {
		num, den = num+c.Num, den+c.Den
		share = share && c.Den > 0 && c.Num >= 0 && c.Num <= c.Den
		same = same && c.Den == counts[0].Den
		shares[i], items[i] = Sample{c.Num / c.Den, c.Cluster}, bag{c.Num, c.Den, 1}
	}
	sums := make([]cluster, len(groups))
	for i, g := range groups {
		sums[i], alike = cluster{g.num, g.den}, alike+g.den*g.den
	}
	mean := num / den
	switch {
	case !isLevel(level) || !(den > 0) || !isFinite(mean):
		return nil
	case share && same:
		return MeanWithin(shares, possible, level).CI
	case len(groups) < 2:
		return nil
	case share:
		ci := boundsWithin(items, sums, 0, 1, (1-level)/2, twoSided)
		return &ci
	}
	s := spreadOf(sums, den, mean)
	// One cluster that is most of all says little of others.
	s.df = min(s.df, max(1, den*den/alike-1))
	ci := s.interval(level)
	if ci == nil {
		return nil
	}
	reach := TQuantile((1+level)/2, s.df) * s.se
	if ci.Hi = max(ci.Hi, mean+reach); 2 < len(groups) && len(groups) < fewToSkew {
		ci.Hi = max(ci.Hi, mean*math.Exp(reach/mean))
	}
	if !isFinite(ci.Hi) {
		return nil
	}
	in := Interval{min(ci.Lo, mean-reach), ci.Hi}.Clip(possible.Lo, possible.Hi)
	return &in
}

// A ratioCount is the contribution of a cluster.
type ratioCount struct{ num, den float64 }

// resampledRatio is the interval of [PooledRatio] by resampling all clusters.
func resampledRatio(groups []ratioCount, level float64, seed uint64) *Interval {
	if len(groups) < 2 || !isLevel(level) {
		return nil
	}
	rng := rand.New(rand.NewPCG(seed, 1))
	return ratiosOf(level, func() (num, den float64) {
		for range groups {
			g := groups[rng.IntN(len(groups))]
			num += g.num
			den += g.den
		}
		return num, den
	})
}

// ratiosOf returns the quantiles of the ratios of so many draws.
func ratiosOf(level float64, draw func() (num, den float64)) *Interval {
	ratios := make([]float64, 0, resamples)
	for range resamples {
		if num, den := draw(); den > 0 && isFinite(num/den) {
			ratios = append(ratios, num/den)
		}
	}
	slices.Sort(ratios)
	return quantiles(ratios, (1-level)/2, (1+level)/2)
}
