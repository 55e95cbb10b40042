package stats

import (
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

// PooledRatio returns the percentile bootstrap interval of ΣNum/ΣDen, resampling
// whole clusters with a generator seeded by seed. It is nil with fewer than two
// clusters, with a number that is not finite, or if the level is not between 0
// and 1. Resamples with a denominator of 0 are dropped.
//
// Above 2,000 clusters the quantiles of the bootstrap distribution come from its
// Edgeworth expansion, where that is accurate: see [Tally.Ratio].
func PooledRatio(counts []Count, level float64, seed uint64) *Interval {
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
	if len(groups) <= resampledClusters {
		return resampledRatio(groups, level, seed)
	}
	var t Tally
	for _, g := range groups {
		t.Add(g.num, g.den)
	}
	return t.Ratio(level, seed)
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
