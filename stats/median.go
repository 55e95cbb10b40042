package stats

import "math"

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
