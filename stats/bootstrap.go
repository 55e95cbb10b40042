package stats

import (
	"math/rand/v2"
	"slices"
)

const (
	// bootstraps is the number of resamples.
	bootstraps = 2_000
	// undefinedShare is the largest share of resamples in which a statistic may
	// be undefined. The interval then uses the rest, which omits the most
	// extreme resamples. A share above a tenth would make it too narrow to
	// print.
	undefinedShare = 0.1
	// fewResampled is the number of clusters below which resamples vary too little: in simulations of
	// AUROC, kappa and correlations, 95 % percentile intervals hold the value in 56 % of samples of 2
	// clusters, 85 % of 5, 88 % of 10, 92 % of 20 and 95 % of 30; those of Bootstrap in 93 % and more.
	fewResampled = 30
)

// Bootstrap returns percentile intervals of statistics of items. It resamples
// whole clusters 2,000 times with a generator seeded by seed. clusters names the
// cluster of each item; "" is a cluster of its own. A statistic receives the
// indices of the resampled items and reports whether it is defined there; all
// statistics see the same resamples. An interval is nil if there are fewer than
// two clusters, if the statistic is undefined in more than a tenth of the
// resamples, or if the level is not between 0 and 1. Below [fewResampled] clusters
// it also holds Student's interval of the jackknife, which leaves out one cluster at a time.
func Bootstrap(clusters []string, level float64, seed uint64, statistics ...func(items []int) (float64, bool)) []*Interval {
	out := make([]*Interval, len(statistics))
	groups := members(clusters)
	if len(groups) < 2 || !isLevel(level) {
		return out
	}
	rng := rand.New(rand.NewPCG(seed, 3))
	values := make([][]float64, len(statistics))
	items := make([]int, 0, len(clusters))
	for range bootstraps {
		items = items[:0]
		for range groups {
			items = append(items, groups[rng.IntN(len(groups))]...)
		}
		for i, statistic := range statistics {
			if v, ok := statistic(items); ok && isFinite(v) {
				values[i] = append(values[i], v)
			}
		}
	}
	for i, v := range values {
		if float64(len(v)) < (1-undefinedShare)*bootstraps {
			continue
		}
		slices.Sort(v)
		out[i] = quantiles(v, (1-level)/2, (1+level)/2)
		if out[i] != nil && len(groups) < fewResampled {
			out[i] = jackknifed(groups, level, statistics[i], *out[i])
		}
	}
	return out
}

// jackknifed widens an interval to hold the one from the values without each cluster; nil if one of these is undefined.
func jackknifed(groups [][]int, level float64, statistic func(items []int) (float64, bool), ci Interval) *Interval {
	at, ok := statistic(slices.Concat(groups...))
	var without []Sample
	for i := range groups {
		v, defined := statistic(slices.Concat(slices.Concat(groups[:i]...), slices.Concat(groups[i+1:]...)))
		without, ok = append(without, Sample{Value: v}), ok && defined && isFinite(v)
	}
	if !ok {
		return nil
	}
	se, df := standardError(without, meanOf(without))
	wide := studentInterval(at, se*df, df, level)
	if wide == nil {
		return nil
	}
	return &Interval{min(ci.Lo, wide.Lo), max(ci.Hi, wide.Hi)}
}

// Clusters counts the clusters that names name; each "" is one of its own.
func Clusters(names []string) int { return len(members(names)) }

// members lists the items of each cluster, in order of first appearance.
func members(clusters []string) [][]int {
	var groups [][]int
	at := grouping{}
	for i, name := range clusters {
		g := at.index(name, len(groups))
		if g == len(groups) {
			groups = append(groups, nil)
		}
		groups[g] = append(groups[g], i)
	}
	return groups
}

// quantiles returns two quantiles of sorted values.
func quantiles(sorted []float64, lo, hi float64) *Interval {
	a, ok := Quantile(sorted, lo)
	b, _ := Quantile(sorted, hi)
	if !ok || !isFinite(a) || !isFinite(b) {
		return nil
	}
	return &Interval{a, b}
}
