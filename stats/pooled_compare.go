package stats

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
)

// A CountPair is one case's contribution to the pooled ratios of two systems,
// such as errors and words of a transcript.
type CountPair struct {
	Old, New Count
	// Cluster is "" for an independent case; the clusters of Old and New are
	// ignored.
	Cluster string
}

// A PooledComparison compares two pooled ratios over the same cases: new minus
// old.
type PooledComparison struct {
	N    int     `json:"n"`
	Old  float64 `json:"old"`
	New  float64 `json:"new"`
	Diff float64 `json:"diff"`
	// CI is the percentile bootstrap interval of Diff; nil below two clusters, or
	// if more than a tenth of the resamples have no ratio.
	CI    *Interval `json:"ci"`
	Level float64   `json:"level"`
	// P is the two-sided p-value of the permutation test; Exact is set if all
	// permutations were counted.
	P     float64 `json:"p"`
	Exact bool    `json:"exact"`
}

// ComparePooled tests whether two systems have the same ratio of pooled counts,
// ΣNum/ΣDen, such as the word error rate of a corpus. The permutation test swaps
// the two systems' counts of whole clusters and recomputes both ratios: p is the
// share of swaps for which the ratios differ at least as much as observed. With
// up to 20 clusters with different counts it counts all swaps; beyond, it samples
// 100,000, and p = (1+hits)/(1+draws). A swap that leaves a system without a
// denominator counts as a hit. The interval resamples clusters, which is a
// different procedure: near the level the two can disagree, and the test decides.
// ok is false if a system's denominators sum to 0, for a negative denominator,
// for numbers that are not finite or too large to add, or if the level is not
// between 0 and 1. Source: Fisher, The Design of Experiments, 1935; Bisani and
// Ney, ICASSP 2004 (the interval).
func ComparePooled(pairs []CountPair, level float64, seed uint64) (c PooledComparison, ok bool) {
	if !isLevel(level) {
		return c, false
	}
	var groups []swapped
	var all swapped
	at := grouping{}
	for _, p := range pairs {
		if p.Old.Den < 0 || p.New.Den < 0 {
			return c, false
		}
		i := at.index(p.Cluster, len(groups))
		if i == len(groups) {
			groups = append(groups, swapped{})
		}
		v := swapped{p.Old.Num, p.Old.Den, p.New.Num, p.New.Den}
		groups[i] = groups[i].plus(v)
		all = all.plus(v)
	}
	if !finite(all[:]) || all[1] == 0 || all[3] == 0 {
		return c, false
	}
	c = PooledComparison{N: len(pairs), Old: all[0] / all[1], New: all[2] / all[3], Level: level}
	c.Diff = c.New - c.Old
	if !isFinite(c.Diff) {
		return PooledComparison{}, false
	}
	c.P, c.Exact = swapTest(groups, all, c.Diff, seed)
	c.CI = swapInterval(groups, level, seed)
	return c, true
}

// swapped holds the numerator and denominator of the old system, then of the new.
type swapped [4]float64

func (s swapped) plus(v swapped) swapped {
	for i := range s {
		s[i] += v[i]
	}
	return s
}

// after returns the difference of the ratios after num and den move from the new
// system to the old one; ok is false if either has no denominator left. Sums of
// terms that were added and subtracted again are 0 up to rounding.
func (s swapped) after(num, den float64) (diff float64, ok bool) {
	oldDen, newDen := s[1]+den, s[3]-den
	if least := tie * (s[1] + s[3]); oldDen <= least || newDen <= least {
		return 0, false
	}
	diff = (s[2]-num)/newDen - (s[0]+num)/oldDen
	return diff, isFinite(diff)
}

// swapsExact is the largest number of clusters for which all swaps are counted,
// and swapsDrawn the number of sampled swaps beyond it, as in the sign-flip test.
const (
	swapsExact = 20
	swapsDrawn = 100_000
)

func swapTest(groups []swapped, all swapped, diff float64, seed uint64) (p float64, exact bool) {
	// What a swap of each cluster moves to the old system.
	var nums, dens []float64
	for _, g := range groups {
		if g[0] != g[2] || g[1] != g[3] {
			nums, dens = append(nums, g[2]-g[0]), append(dens, g[3]-g[1])
		}
	}
	hits := 0
	bar := math.Abs(diff) - tie*max(1, math.Abs(diff))
	count := func(num, den float64) {
		if d, ok := all.after(num, den); !ok || math.Abs(d) >= bar {
			hits++
		}
	}
	if len(nums) <= swapsExact {
		// In Gray code order each step swaps one cluster.
		total := 1 << len(nums)
		num, den := 0.0, 0.0
		back := make([]bool, len(nums))
		count(num, den)
		for i := 1; i < total; i++ {
			k := bits.TrailingZeros(uint(i))
			if back[k] {
				num, den = num-nums[k], den-dens[k]
			} else {
				num, den = num+nums[k], den+dens[k]
			}
			back[k] = !back[k]
			count(num, den)
		}
		return float64(hits) / float64(total), true
	}
	rng := rand.New(rand.NewPCG(seed, 5))
	for range swapsDrawn {
		var num, den float64
		var word uint64
		for k := range nums {
			if k%64 == 0 {
				word = rng.Uint64()
			}
			swap := float64(word & 1)
			num += swap * nums[k]
			den += swap * dens[k]
			word >>= 1
		}
		count(num, den)
	}
	return float64(1+hits) / float64(1+swapsDrawn), false
}

func swapInterval(groups []swapped, level float64, seed uint64) *Interval {
	if len(groups) < 2 {
		return nil
	}
	rng := rand.New(rand.NewPCG(seed, 6))
	diffs := make([]float64, 0, resamples)
	for range resamples {
		var s swapped
		for range groups {
			s = s.plus(groups[rng.IntN(len(groups))])
		}
		if d, ok := s.after(0, 0); ok {
			diffs = append(diffs, d)
		}
	}
	if float64(len(diffs)) < (1-undefinedShare)*resamples {
		return nil
	}
	slices.Sort(diffs)
	return quantiles(diffs, (1-level)/2, (1+level)/2)
}
