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
func PooledRatio(counts []Count, level float64, seed uint64) *Interval {
	var groups []Count
	at := grouping{}
	for _, c := range counts {
		if !isFinite(c.Num) || !isFinite(c.Den) {
			return nil
		}
		i := at.index(c.Cluster, len(groups))
		if i == len(groups) {
			groups = append(groups, Count{})
		}
		groups[i].Num += c.Num
		groups[i].Den += c.Den
	}
	if len(groups) < 2 || !isLevel(level) {
		return nil
	}
	rng := rand.New(rand.NewPCG(seed, 1))
	ratios := make([]float64, 0, resamples)
	for range resamples {
		var num, den float64
		for range groups {
			g := groups[rng.IntN(len(groups))]
			num += g.Num
			den += g.Den
		}
		if den > 0 && isFinite(num/den) {
			ratios = append(ratios, num/den)
		}
	}
	slices.Sort(ratios)
	return quantiles(ratios, (1-level)/2, (1+level)/2)
}
