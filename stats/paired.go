package stats

import (
	"math"
)

// A Comparison compares two systems on the same cases: new minus old.
type Comparison struct {
	// N counts the pairs, Dropped the cases in which one side has no value: here,
	// pairs with a number that is not finite.
	N       int `json:"n"`
	Dropped int `json:"dropped"`
	// Old and New are the means over the pairs.
	Old float64 `json:"old"`
	New float64 `json:"new"`
	// Diff is New − Old: the mean of the differences, where differences due to
	// rounding count as 0. CI is its interval at Level: the shifts that the test
	// of P would not reject, or Tango's interval if all values are 0 or 1. It is
	// nil below two clusters, if there are so few clusters that no difference could
	// be significant (at a level of 0.95, five or fewer, or four of 0 and 1; more if
	// several comparisons are tested together), and
	// if no pair differs in a metric whose values are not all between 0 and 1. If all
	// pairs differ by the same between 0 and 1, it is that of a share of other pairs.
	// Level is 0 if the requested one was invalid.
	Diff  float64   `json:"diff"`
	CI    *Interval `json:"ci"`
	Level float64   `json:"level"`
	// Test is the test of P if it is not the sign-flip test.
	Test Test `json:"test,omitempty"`
	// P is the two-sided p-value, and PAdjusted is P corrected for the comparisons
	// that were tested together ([CompareTogether], [Explore]); P if there are none.
	P         float64 `json:"p"`
	PAdjusted float64 `json:"p_adjusted"`
	// Wins, Ties and Losses count pairs in which New is above, equal to and below
	// Old.
	Wins   int `json:"wins"`
	Ties   int `json:"ties"`
	Losses int `json:"losses"`
	// SignP is the p-value of the sign test on wins and losses, 1 if there are
	// none. It supplements P but does not replace it, because it ignores the size
	// of the differences and the clusters. Disagree is set if most changed cases
	// go in one direction and the mean in the other.
	SignP    float64 `json:"sign_p"`
	Disagree bool    `json:"mean_and_sign_disagree,omitempty"`
	// SD is the standard deviation (n − 1) of the differences; 0 below two pairs.
	// DZ is Diff divided by it; nil if all differences are equal.
	SD float64  `json:"sd"`
	DZ *float64 `json:"dz"`
	// TCI is the interval of Student's t with the cluster-robust standard error,
	// shown beside CI; nil below two clusters.
	TCI *Interval `json:"t_ci"`
	// MDE is the smallest true difference that this many cases detect with 80 %
	// power at Level: [MDE] with the cluster-robust standard error in place of
	// SD/√N, which accounts for the design effect. It is nil if that error is 0
	// or unknown.
	MDE      *float64  `json:"mde"`
	Warnings []Warning `json:"warnings,omitempty"`
}

// A Pair is one case's values under two systems.
type Pair struct {
	Old, New float64
	// Cluster is "" for an independent case.
	Cluster string
	// Case is the case's id. Only [CompareTogether] reads it, to find the pairs of
	// one case in several comparisons; "" if they are in the same place.
	Case string
}

const (
	// informative is the number of non-zero differences below which the test
	// has little power and its level is uncertain when losses are rare
	// (metrics.md §4.1, simulation).
	informative = 50
	// power is the probability with which MDE is to be shown, by convention.
	power = 0.8
)

// CompareAll tests, for each of several metrics over the same cases, whether the
// mean difference of its pairs is zero. It uses a paired sign-flip test (Fisher's
// randomisation test) that flips whole clusters. With up to 20 clusters that
// differ the test is exact; beyond, it samples 100,000 sign patterns with a
// generator seeded by seed, and p = (1+hits)/(1+draws). The interval inverts the
// test: it contains the shifts that the same patterns do not reject.
//
// If all values are 0 or 1, patterns as extreme as the observed one count half
// (mid-p), because ties would make the test needlessly conservative; for
// independent cases this is [McNemar]'s mid-p. The interval is then Tango's.
//
// An interval excludes 0 exactly if P is below 1 − level. If the level is outside
// 0…1 there are no intervals. Pairs with a number that is not finite are dropped. Metrics whose
// clusters have the same sizes share their sign patterns, which is much cheaper
// and changes no result. Source: Smucker, Allan and Carterette, CIKM 2007.
func CompareAll(metrics [][]Pair, level float64, seed uint64) []Comparison {
	out := make([]Comparison, len(metrics))
	all := make([]differences, len(metrics))
	for i, pairs := range metrics {
		all[i] = subtract(pairs, 0)
		out[i] = all[i].describe(level)
	}
	eachFlips(all, seed, func(i int, f *flips) {
		if c := &out[i]; c.N > 0 {
			all[i].decide(c, f)
		}
	})
	return out
}

// describe fills in what needs no sign patterns.
func (d differences) describe(level float64) Comparison {
	c := Comparison{N: len(d.samples), Dropped: d.dropped, P: 1, PAdjusted: 1, SignP: 1}
	if isLevel(level) {
		c.Level = level
	}
	if c.N == 0 {
		return c
	}
	c.Old, c.New, c.Diff = d.unscaled(d.old), d.unscaled(d.new), d.unscaled(d.mean)
	for _, s := range d.samples {
		switch {
		case s.Value > 0:
			c.Wins++
		case s.Value < 0:
			c.Losses++
		default:
			c.Ties++
		}
	}
	c.SignP = SignTest(c.Wins, c.Wins+c.Losses)
	c.Disagree = c.Wins > c.Losses && c.Diff < 0 || c.Wins < c.Losses && c.Diff > 0
	sd := d.deviation()
	if sd > 0 {
		dz := d.mean / sd
		c.SD, c.DZ = d.unscaled(sd), &dz
	}
	if !isLevel(level) {
		return c
	}
	ci, se, ok := d.student((1 + level) / 2)
	if !ok {
		return c
	}
	c.TCI = &ci
	if sd > 0 && se > tie*sd {
		mde := d.unscaled(MDE(se, 1, 1-level, power))
		c.MDE = &mde
	}
	return c
}

// decide fills in the test and its interval.
func (d differences) decide(c *Comparison, f *flips) {
	d.judge(c, f)
	alpha := 1 - c.Level
	if !isLevel(c.Level) || len(d.groups) < 2 {
		return
	}
	if d.scored() {
		c.CI = d.scoreOf(alpha, alpha)
	} else {
		c.CI = d.flipOf(f, alpha)
	}
	if c.CI != nil {
		agree(c.CI, c.Diff, c.P < alpha)
	}
}

// judge fills in the test.
func (d differences) judge(c *Comparison, f *flips) {
	alpha := 1 - c.Level
	differing := d.differing(0)
	c.P = d.test(f, differing)
	c.PAdjusted = c.P
	switch m := len(differing); {
	case m > 0 && d.least(m) > alpha:
		c.Warnings = append(c.Warnings, Warning{Kind: CannotBeSignificant, N: m})
	case m < informative:
		c.Warnings = append(c.Warnings, Warning{Kind: FewDiffer, N: m})
	}
}

// test returns the p-value of the hypothesis that the mean difference is 0.
func (d differences) test(f *flips, differing []cluster) float64 {
	if d.binary && len(d.groups) == len(d.samples) {
		up, down := d.changed()
		r, _ := McNemar(up, down, len(d.samples))
		return r.MidP
	}
	if !f.exact && len(differing) <= exactClusters {
		f = enumerate(differing)
	}
	if d.binary {
		return f.midP()
	}
	return f.twoSided()
}

// least is the smallest p-value that n differing clusters can have.
func (d differences) least(n int) float64 {
	if d.binary {
		return math.Ldexp(1, -n)
	}
	return math.Ldexp(2, -n)
}

// scored reports whether the interval is that of [differences.scoreOf].
func (d differences) scored() bool { return d.binary || d.ratio && d.even() }

// even reports whether all clusters have the same mean.
func (d differences) even() bool { return len(d.differing(-d.mean)) == 0 }

// scoreOf returns the score interval at 1 − at; nil if there are too few clusters
// for any difference to be significant at alpha.
func (d differences) scoreOf(alpha, at float64) *Interval {
	if d.least(len(d.groups)) > alpha {
		return nil
	}
	ci := d.scoreInterval(at)
	return &ci
}

// flipOf returns the shifts that the sign patterns do not reject at alpha; nil if
// they reject none on one side.
func (d differences) flipOf(f *flips, alpha float64) *Interval {
	ci, ok := f.interval(alpha)
	// Equal values do not show how far others may differ.
	if !ok || len(d.differing(0)) == 0 {
		return nil
	}
	return &Interval{d.unscaled(ci.Lo), d.unscaled(ci.Hi)}
}
