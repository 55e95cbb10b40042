package stats

import "math"

// A spread is what the interval of a mean needs of its samples.
type spread struct {
	n, mean float64
	// se is the standard error of the mean, cluster-robust; df are its degrees of
	// freedom.
	se, df float64
	// skew is the adjusted skewness of the clusters' residual sums; 0 below three
	// clusters.
	skew float64
	// alike is the mean size of the cluster of a value: the design effect if all
	// values of a cluster were equal.
	alike float64
	// bound counts the values at that end of 0…1 that has more of them.
	bound float64
	ratio bool
}

func spreadOf(samples []Sample, mean float64) spread {
	s := spread{n: float64(len(samples)), mean: mean, ratio: true}
	groups := clusters(samples)
	s.se, s.df = clusteredError(groups, s.n, mean)
	var zeros, ones, squares, cubes float64
	for _, v := range samples {
		switch {
		case v.Value == 0:
			zeros++
		case v.Value == 1:
			ones++
		case !(v.Value > 0 && v.Value < 1):
			s.ratio = false
		}
	}
	s.bound = max(zeros, ones)
	g := float64(len(groups))
	for _, c := range groups {
		s.alike += c.n * c.n / s.n
		// Divided, so that huge values do not overflow.
		if s.se > 0 {
			d := (c.sum - c.n*mean) / (s.se * s.n)
			squares += d * d
			cubes += d * d * d
		}
	}
	if g > 2 && squares > 0 {
		s.skew = cubes / g / math.Pow(squares/g, 1.5) * math.Sqrt(g*(g-1)) / (g - 2)
	}
	return s
}

// interval returns the interval of the mean; nil if the values do not say how far
// others may differ from them, or if it overflows.
func (s spread) interval(level float64) *Interval {
	q := TQuantile((1+level)/2, s.df)
	even := s.se <= rounding*math.Abs(s.mean)
	switch {
	case s.ratio:
		ci := score(s.mean, s.n/s.variance(even), q)
		return &ci
	case even:
		return nil
	}
	return s.skewed(q)
}

// variance is the variance of the mean in units of that of a proportion of
// independent hits with the same mean. Values at a bound hide how the others
// spread: if nearly all are there, the few others estimate it badly. The estimate
// is therefore moved towards the most that it can be, by the weight of so much of
// a value as the share of values at the bound.
func (s spread) variance(even bool) float64 {
	if even {
		return s.alike
	}
	v := min(s.se*s.se*s.n/(s.mean*(1-s.mean)), s.alike)
	weight, others := s.bound/s.n, (s.n-s.bound)/s.alike
	return (v*others + s.alike*weight) / (others + weight)
}

// fewToSkew is the number of clusters below which their skewness is mostly chance.
const fewToSkew = 10

// skewed is Student's interval after Hall's cubic transformation, which removes
// the skewness of the t statistic. The skewness of a sample is smaller than that
// of its source; the factor 1+8/n makes up for it (chosen by simulation on
// lognormal values). Below ten clusters it is Student's interval itself.
func (s spread) skewed(q float64) *Interval {
	groups := s.df + 1
	root := math.Sqrt(groups)
	skew := s.skew * (1 + 8/groups)
	t := func(q float64) float64 {
		if math.Abs(skew) < 1e-6 || groups < fewToSkew {
			return q
		}
		return 3 * root / skew * (math.Cbrt(1+skew/root*(q-skew/(6*root))) - 1)
	}
	ci := Interval{min(s.mean, s.mean-s.se*t(q)), max(s.mean, s.mean-s.se*t(-q))}
	if !isFinite(ci.Lo) || !isFinite(ci.Hi) {
		return nil
	}
	return &ci
}
