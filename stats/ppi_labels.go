package stats

import "math"

// FurtherLabels returns how many more labels, of items drawn at random from the rest, would
// narrow the interval of [PPI] to a share of its width. ok is false if there is no interval
// to narrow, if share is not between 0 and 1, or if labels of all the rest would not do.
//
// It is the smallest n' > n with
//
//	q(n')·s(n') ≤ share·q(n)·s(n),  s² = λ²·V/N' + (var(Y) − 2λ·cov(Y,F) + λ²·V)/n'
//
// where N' = N − (n' − n), λ is the one that minimizes s², V is the variance of all scores of
// the judge, and q the quantile that PPI takes: the variance of Angelopoulos, Duchi and
// Zrnic (arXiv 2311.01453) with the moments that are known from n labels. Those are
// estimates, so that the result is rough: with few labels it can be off by half.
func FurtherLabels(labelled []Labelled, rest []Sample, o PPIOptions, share float64) (n int, ok bool) {
	if o.Level == 0 {
		o.Level = DefaultLevel
	}
	p, ok := PPI(labelled, rest, o)
	if !ok || p.SE <= 0 || !(share > 0 && share < 1) {
		return 0, false
	}
	given, judged := make([]float64, len(labelled)), make([]float64, len(labelled))
	all := make([]float64, 0, len(labelled)+len(rest))
	for i, l := range labelled {
		given[i], judged[i] = l.Human, l.Judge
	}
	all = append(all, judged...)
	for _, r := range rest {
		all = append(all, r.Value)
	}
	labels, both, spread := covariance(given, given), covariance(given, judged), covariance(all, all)
	total, z := len(all), zQuantile((1+o.Level)/2)
	half := func(n int) float64 {
		q := z
		if n < fewLabels && !o.Normal {
			q = TQuantile((1+o.Level)/2, float64(n-1))
		}
		left := float64(total - n)
		if left < 2 {
			return q * math.Sqrt(labels/float64(n))
		}
		lambda := 0.0
		if spread > 0 {
			lambda = min(max(both/((1+float64(n)/left)*spread), 0), 1)
		}
		return q * math.Sqrt(lambda*lambda*spread/left+(labels-2*lambda*both+lambda*lambda*spread)/float64(n))
	}
	now := half(len(labelled))
	if !(now > 0) {
		return 0, false
	}
	for n := len(labelled) + 1; n <= total; n++ {
		if half(n) <= share*now {
			return n - len(labelled), true
		}
	}
	return 0, false
}
