package stats

import "math"

// tango returns Tango's score interval of the difference of two paired
// proportions: of n pairs, up pass only on the new side and down only on the old
// one. It contains the δ with
//
//	|up − down − nδ| ≤ z·√(n·(2q + δ(1−δ)))
//
// where q, the probability of a pair of the second kind, is estimated under δ. It
// has a width even if no pair changes: ±z²/(n+z²). The counts need not be whole.
// Source: Tango, Statistics in Medicine 17, 1998.
func tango(up, down, n, z float64) Interval {
	return Interval{-tangoUpper(down, up, n, z), tangoUpper(up, down, n, z)}
}

// tangoUpper is the upper end. The score falls as δ rises, so halving finds it.
func tangoUpper(up, down, n, z float64) float64 {
	lo, hi := (up-down)/n, 1.0
	for range 60 {
		mid := (lo + hi) / 2
		a, b := 2*n, (2*n-up+down)*mid-up-down
		c := -down * mid * (1 - mid)
		q := (math.Sqrt(max(0, b*b-4*a*c)) - b) / (2 * a)
		if n*mid-(up-down) <= z*math.Sqrt(max(0, n*(2*q+mid*(1-mid)))) {
			lo = mid
		} else {
			hi = mid
		}
	}
	return lo
}

// changed counts the pairs with a larger and with a smaller new value.
func (d differences) changed() (up, down int) {
	for _, s := range d.samples {
		switch {
		case s.Value > 0:
			up++
		case s.Value < 0:
			down++
		}
	}
	return up, down
}

// scoreInterval is [tango] for pairs of which some share a cluster: the counts are
// divided by the design effect, and the quantile is Student's with one degree of
// freedom less than clusters. Source: Rao and Scott, Biometrics 48, 1992.
//
// Differences of other values between 0 and 1 that are all the same, d, do not show how far
// others may be from it. The interval is then that of a share of 0 in n pairs that differ
// (Wilson, JASA 1927), z²/(n+z²), times what these may be away at most: down to −1, up to 1.
// It is the same as Tango's where d is −1, 0 or 1.
func (d differences) scoreInterval(alpha float64) Interval {
	up, down := d.changed()
	n, effect, z := float64(len(d.samples)), 1.0, zQuantile(1-alpha/2)
	if g := float64(len(d.groups)); g < n {
		effect, z = d.designEffect(), TQuantile(1-alpha/2, g-1)
	}
	if !d.binary && d.mean != 0 {
		share := score(0, n/effect, z).Hi
		return Interval{d.mean - share*(1+d.mean), d.mean + share*(1-d.mean)}
	}
	return tango(float64(up)/effect, float64(down)/effect, n/effect, z)
}

// designEffect is how many times the variance of the mean difference is that of
// independent pairs, at least 1. If no differences vary, nothing is known of it,
// and all pairs of a cluster are taken to be alike.
func (d differences) designEffect() float64 {
	var apart, together, alike float64
	for _, s := range d.samples {
		apart += (s.Value - d.mean) * (s.Value - d.mean)
	}
	n, g := float64(len(d.samples)), float64(len(d.groups))
	for _, c := range d.groups {
		together += (c.sum - c.n*d.mean) * (c.sum - c.n*d.mean)
		alike += c.n * c.n / n
	}
	if apart == 0 || !d.binary && d.mean != 0 && d.even() {
		return alike
	}
	return max(1, together*g/(g-1)/(apart*n/(n-1)))
}
