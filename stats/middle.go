package stats

import "math"

// Hits estimates the share of hits among values of 0 and 1, for intervals that are to hold at
// least as often as their level says: those of independent values are exact
// ([ClopperPearson]), and those of values that share clusters are their like.
func Hits(samples []Sample, level float64) Estimate {
	e := Mean(samples, level)
	if e.CI == nil {
		return e
	}
	x := 0
	for _, s := range samples {
		switch s.Value {
		case 0:
		case 1:
			x++
		default:
			return e
		}
	}
	ci := ClopperPearson(x, e.N, level)
	if groups := clusters(samples); len(groups) < e.N {
		ci = boundsWithin(singly(samples), groups, 0, 1, (1-level)/2, oneSided)
	}
	e.CI = &ci
	return e
}

// Middle returns the mean of two shares of hits with its interval: the balanced accuracy, from
// the hits among true and among false items. The lists may share clusters. The interval recovers
// the variance of each share from that of [Hits], so that it holds near 0 and 1, and adds the
// covariance of the shares by their clusters, which makes it narrower only from [fewResampled] clusters on; ok is
// false without values on both sides.
//
// Source: Zou and Donner, Statistics in Medicine 27, 2008, with correlation.
func Middle(a, b []Sample, level float64) (mean float64, ci *Interval, ok bool) {
	one, two := Hits(a, level), Hits(b, level)
	if one.N == 0 || two.N == 0 {
		return 0, nil, false
	}
	mean = (one.Mean + two.Mean) / 2
	if one.CI == nil || two.CI == nil {
		return mean, nil, true
	}
	rho := together(a, b, one.Mean, two.Mean)
	reach := func(x, y float64) float64 { return math.Sqrt(max(0, x*x+y*y+2*rho*x*y)) / 2 }
	return mean, &Interval{
		max(0, mean-reach(one.Mean-one.CI.Lo, two.Mean-two.CI.Lo)),
		min(1, mean+reach(one.CI.Hi-one.Mean, two.CI.Hi-two.Mean)),
	}, true
}

// together is the correlation of two means by the sums of their deviations in clusters; 0 if
// they share none.
func together(a, b []Sample, meanA, meanB float64) float64 {
	sums := map[string]*[2]float64{}
	var squares [2]float64
	add := func(side int, list []Sample, mean float64) {
		for _, s := range list {
			if s.Cluster == "" {
				squares[side] += (s.Value - mean) * (s.Value - mean)
				continue
			}
			at := sums[s.Cluster]
			if at == nil {
				at = &[2]float64{}
				sums[s.Cluster] = at
			}
			at[side] += s.Value - mean
		}
	}
	add(0, a, meanA)
	add(1, b, meanB)
	var product float64
	for _, s := range sums {
		squares[0] += s[0] * s[0]
		squares[1] += s[1] * s[1]
		product += s[0] * s[1]
	}
	if squares[0] == 0 || squares[1] == 0 || product < 0 && len(sums) < fewResampled {
		return 0
	}
	return max(-1, min(1, product/math.Sqrt(squares[0]*squares[1])))
}
