package stats

import "math"

// A spread is what Student's interval of a mean needs of its samples.
type spread struct {
	mean float64
	// se is the standard error of the mean, cluster-robust; df are its degrees of
	// freedom.
	se, df float64
	// skew is the adjusted skewness of the clusters' residual sums; 0 below three
	// clusters.
	skew float64
}

func spreadOf(groups []cluster, n, mean float64) spread {
	s := spread{mean: mean}
	s.se, s.df = clusteredError(groups, n, mean)
	var squares, cubes float64
	g := float64(len(groups))
	for _, c := range groups {
		// Divided, so that huge values do not overflow.
		if s.se > 0 {
			d := (c.sum - c.n*mean) / (s.se * n)
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
	if s.se <= rounding*math.Abs(s.mean) {
		return nil
	}
	return s.skewed(TQuantile((1+level)/2, s.df))
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

func meanOf(samples []Sample) float64 {
	sum := 0.0
	for _, s := range samples {
		sum += s.Value
	}
	return sum / float64(len(samples))
}

func finite(values []float64) bool {
	for _, v := range values {
		if !isFinite(v) {
			return false
		}
	}
	return true
}
