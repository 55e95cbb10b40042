package stats

import (
	"cmp"
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
	// of P would not reject, or [boundsWithin] if all values are 0 or the largest possible, or fewer than ten clusters
	// and no more than half of them differ. It is
	// nil below two clusters, if there are so few clusters that no difference could
	// be significant (at a level of 0.95, five or fewer, or four of 0 and 1; more if
	// several comparisons are tested together), and
	// if no pair differs and neither widths nor values between 0 and 1 bound the differences. If
	// all pairs differ by the same within such bounds, it is that of a share of other pairs.
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
	// shown beside CI; nil below two clusters, and if all differences are equal.
	TCI *Interval `json:"t_ci"`
	// MDE is the smallest true difference that this many cases like these show in four
	// comparisons of five, after the correction that CI has; see detect. It is larger than
	// Diff if that is not shown. It is nil without CI, and if all differences are equal.
	MDE *float64 `json:"mde"`
	// Settle is how many cases like these would show Diff in four comparisons of five, if
	// it is the true one; 0 without MDE, and if Diff is 0.
	Settle   float64   `json:"-"`
	Warnings []Warning `json:"warnings,omitempty"`
	// SE is the cluster-robust standard error of Diff. Groups counts the clusters, and
	// Fewest is the number of these that must differ for a p-value below 1 − Level.
	// Differ counts the clusters that differ. Size is what these add to Diff, each for a share 1 of the clusters, in the
	// mean, or of hits the root mean square; the largest that there can be if none differs. Without clusters it is the mean
	// size of the differences that are not 0. Hits is set if all values are 0 or the largest possible.
	SE     float64 `json:"-"`
	Size   float64 `json:"-"`
	Hits   bool    `json:"-"`
	Groups int     `json:"-"`
	Differ int     `json:"-"`
	Fewest int     `json:"-"`
	// Tested is the interval of the test where CI is wider; see widen.
	Tested *Interval `json:"-"`
}

// A Pair is one case's values under two systems.
type Pair struct {
	Old, New float64
	// Cluster is "" for an independent case.
	Cluster string
	// Width is the largest difference that the case can have, an infinity if there is none. If it is 0, values of which all
	// are between 0 and 1 are taken for shares.
	Width float64
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
// If all values are 0 or the largest Width of the pairs, 1 without one, patterns as extreme as
// the observed one count half (mid-p), because ties would make the test needlessly conservative;
// for independent cases this is [McNemar]'s mid-p. The interval is then that of [boundsWithin].
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
	c.Hits = d.binary
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
	if c.SE, c.Size, c.Groups = d.unscaled(se), d.unscaled(1), len(d.groups); se > 0 {
		c.TCI = &ci
	}
	differing, sum, squares := d.differing(0), 0.0, 0.0
	for _, g := range differing {
		sum, squares = sum+math.Abs(g.sum), squares+g.sum*g.sum
	}
	if c.Differ = len(differing); c.Differ > 0 {
		size := sum / float64(c.Differ)
		if c.Hits {
			size = math.Sqrt(squares / float64(c.Differ))
		}
		c.Size = d.unscaled(size * float64(c.Groups) / float64(c.N))
	}
	c.Fewest = d.fewest(1 - level)
	return c
}

// detect fills in MDE. Of hits it is what the test at alpha shows, where whole clusters change. Else it comes
// from the interval: a true difference is shown in four comparisons of five if it is as far
// from 0 as the end of the interval is from the difference, and the distance by which four
// of five observed differences are at least as large. Both grow with the root of the
// variance: where few cases differ, a larger difference means that more do. It must also
// make enough clusters differ: the number of those that do is binomial, and fewer than
// Fewest show nothing, however large they are.
func (c *Comparison) detect(alpha float64) {
	c.MDE, c.Settle = nil, 0
	if c.CI == nil || c.Wins+c.Losses > 0 && c.DZ == nil {
		return
	}
	away, n := math.Abs(c.Diff), float64(c.N)
	ci := *cmp.Or(c.Tested, c.CI)
	gap := max(away-ci.Lo, ci.Hi-away)
	switch {
	case c.Diff > 0:
		gap = away - ci.Lo
	case c.Diff < 0:
		gap = ci.Hi + away
	}
	root, change := gap+zQuantile(power)*c.SE, 0.0
	mde, scale := root, math.Hypot(c.SD*math.Sqrt((n-1)/n), c.Diff)
	share := float64(c.Differ) / float64(c.Groups)
	counted := c.Hits && c.Differ <= mostCounted
	switch {
	case counted:
		change, mde = c.Size*hitsShown(c.Groups, share, alpha), gap
	default:
		for range 50 {
			if more := float64(c.Ties) / n * (c.Size / scale) * ((mde - away) / scale); more > 0 && scale > 0 {
				mde = root * math.Sqrt(1+more)
			}
		}
		if k, g := float64(c.Fewest), float64(c.Groups); 0 < k && k <= g {
			change = c.Size * betaQuantile(power, k, g-k+1)
		}
	}
	settle := n * max(root/away*root/away, change/away)
	if counted && away > 0 {
		lo, hi := c.Groups, mostAsked*c.Groups
		for hi-lo > 1 {
			if mid := (lo + hi) / 2; hitsPower(mid, share, away/c.Size, alpha) < power {
				lo = mid
			} else {
				hi = mid
			}
		}
		settle = float64(hi+1) * n / float64(c.Groups)
	}
	if away > 0 && isFinite(settle) {
		c.Settle = settle
	}
	if mde = max(mde, change); isFinite(mde) {
		c.MDE = &mde
	}
}

// mostAsked is how many times the cases are looked for that settle a difference of hits.
const mostAsked = 100

// mostCounted is the largest number of hits that change for which power is counted.
const mostCounted = 300

// hitsPower returns how often mid-p at alpha shows a true difference d, above 0, of n hits of which the share q
// changes, or d if that is more.
func hitsPower(n int, q, d, alpha float64) (p float64) {
	q = min(max(q, d), 1-1e-12)
	mean, sd := float64(n)*q, math.Sqrt(float64(n)*q*(1-q))
	from := int(max(0, mean-6*sd-2))
	for changed, up := from, from/2+1; changed <= min(n, int(mean+6*sd+2)); changed++ {
		for ; up <= changed; up++ {
			if r, _ := McNemar(up, changed-up, changed); r.MidP < alpha {
				p += binomialProb(changed, n, q) * (1 - binomialCDF(up-1, changed, min(1, (1+d/q)/2)))
				break
			}
		}
	}
	return p
}

// hitsShown returns the smallest difference of n hits that [hitsPower] shows with the power 80 %; 2, which none is, if
// none is shown.
func hitsShown(n int, q, alpha float64) float64 {
	lo, hi := 0.0, 1.0
	if hitsPower(n, q, hi, alpha) < power {
		return 2
	}
	for range 40 {
		if mid := (lo + hi) / 2; hitsPower(n, q, mid, alpha) < power {
			lo = mid
		} else {
			hi = mid
		}
	}
	return hi
}

// decide fills in the test and its interval.
func (d differences) decide(c *Comparison, f *flips) {
	d.judge(c, f)
	alpha := 1 - c.Level
	if !isLevel(c.Level) || len(d.groups) < 2 {
		return
	}
	if d.scored() {
		c.CI = d.boundedOf(alpha, alpha)
	} else {
		c.CI = d.flipOf(f, alpha)
	}
	if c.CI != nil {
		agree(c.CI, c.Diff, c.P < alpha)
	}
	d.widen(c, alpha, alpha)
	c.detect(alpha)
}

// judge fills in the test.
func (d differences) judge(c *Comparison, f *flips) {
	alpha := 1 - c.Level
	differing := d.differing(0)
	c.P = d.test(f, differing)
	c.PAdjusted = c.P
	c.limit(len(differing), len(d.groups) < len(d.samples), len(differing) < d.fewest(alpha))
}

// limit warns if few cases or groups differ; cannot is set if they are too few for any p-value below the level.
func (c *Comparison) limit(n int, groups, cannot bool) {
	switch {
	case cannot:
		c.Warnings = append(c.Warnings, Warning{Kind: CannotBeSignificant, N: n, Groups: groups})
	case n < informative:
		c.Warnings = append(c.Warnings, Warning{Kind: FewDiffer, N: n, Groups: groups})
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

// LeastClusters returns the smallest number of clusters, or of independent cases, that can show a
// difference at alpha, above 0: n that all change in one direction have the two-sided p-value 2/2ⁿ.
func LeastClusters(alpha float64) int {
	n := 1
	for math.Ldexp(2, -n) >= alpha {
		n++
	}
	return n
}

// fewest is the smallest number of clusters that can show a difference at alpha. For hits, where
// mid-p halves the p-value, it is that of one side.
func (d differences) fewest(alpha float64) int {
	if d.binary {
		alpha *= 2
	}
	return LeastClusters(alpha)
}

// scored reports whether the interval is that of [differences.boundedOf].
func (d differences) scored() bool { return d.binary || d.sparse() || d.ratio && d.even() }

// widen gives a difference of which few clusters differ the interval of [differences.boundedOf]. Sign flips take what nobody
// saw for impossible: with rare losses they err in up to 11 % of simulated samples, with ten clusters that differ in 5 %.
func (d differences) widen(c *Comparison, alpha, at float64) {
	if k := len(d.differing(0)); c.CI == nil || !d.known || !d.ratio || d.scored() || k >= 10 || 2*k > len(d.groups) {
		return
	}
	if b := d.boundedOf(alpha, at); b != nil {
		agree(b, c.Diff, !c.CI.Contains(0))
		c.Tested, c.CI = c.CI, b
	}
}

// even reports whether all clusters have the same mean.
func (d differences) even() bool { return len(d.differing(-d.mean)) == 0 }

// boundedOf returns the interval of [boundsWithin] at 1 − at; nil if there are too few
// clusters for any difference to be significant at alpha, or too few [differences.sparse] ones differ.
func (d differences) boundedOf(alpha, at float64) *Interval {
	if len(d.groups) < d.fewest(alpha) || d.open && len(d.differing(0)) < fewResampled {
		return nil
	}
	return d.bounds(at/2, twoSided)
}

// bounds returns those of [boundsWithin].
func (d differences) bounds(alpha, unseen float64) *Interval {
	ci := boundsWithin(singly(d.samples), d.groups, -d.end, d.end, alpha, unseen)
	return &Interval{d.unscaled(ci.Lo), d.unscaled(ci.Hi)}
}

// flipOf returns the shifts that the sign patterns do not reject at alpha; nil if
// they reject none on one side.
func (d differences) flipOf(f *flips, alpha float64) *Interval {
	ci, ok := f.interval(alpha)
	// Equal values do not show how far others may differ.
	if !ok || d.even() {
		return nil
	}
	return &Interval{d.unscaled(ci.Lo), d.unscaled(ci.Hi)}
}
