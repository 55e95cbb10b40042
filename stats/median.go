package stats

import (
	"math"
	"slices"
)

// MedianInterval returns the interval of the median of the distribution that sorted values
// are drawn from: the values of the ranks k and n+1−k, for the largest k for which a
// binomial variable of n and ½ is below k with a probability of at most (1 − level)/2. It
// assumes no distribution, and covers at least as often as the level says. It is nil if the
// values are too few, which at 95 % are five, or not finite, or for an invalid level.
//
// Source: Thompson, Annals of Mathematical Statistics 7, 1936.
func MedianInterval(sorted []float64, level float64) *Interval {
	if !isLevel(level) || !finite(sorted) || !slices.IsSorted(sorted) {
		return nil
	}
	k := 0
	for k < len(sorted)/2 && binomialCDF(k, len(sorted), 0.5) <= (1-level)/2 {
		k++
	}
	if k == 0 {
		return nil
	}
	return &Interval{sorted[k-1], sorted[len(sorted)-k]}
}

// Apart returns the interval of the difference now − old of two independent estimates, from
// their intervals (the method of recovering variance estimates). It keeps the asymmetry of
// intervals at the end of a scale. Where numbers overflow, it is the whole line.
//
// Source: Newcombe, Statistics in Medicine 17, 1998, method 10; Zou and Donner, Statistics
// in Medicine 27, 2008.
func Apart(old, now float64, oldCI, nowCI Interval) Interval {
	d := now - old
	ci := Interval{d - math.Hypot(now-nowCI.Lo, oldCI.Hi-old), d + math.Hypot(nowCI.Hi-now, old-oldCI.Lo)}
	if !isFinite(ci.Lo) || !isFinite(ci.Hi) {
		return Interval{-math.MaxFloat64, math.MaxFloat64}
	}
	return ci
}
