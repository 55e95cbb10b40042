package stats

import "math"

// Middle returns the mean of the means of two lists of values of 0…1 with its interval, such as
// the balanced accuracy from the hits among true and among false items. The lists may share
// clusters. The interval recovers the variance of each mean from its own interval, so that it
// holds near 0 and 1, and adds the covariance of the means by their clusters; ok is false
// without values on both sides.
//
// Source: Zou and Donner, Statistics in Medicine 27, 2008, with correlation.
func Middle(a, b []Sample, level float64) (mean float64, ci *Interval, ok bool) {
	one, two := Mean(a, level), Mean(b, level)
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
	if squares[0] == 0 || squares[1] == 0 {
		return 0
	}
	return max(-1, min(1, product/math.Sqrt(squares[0]*squares[1])))
}
