package stats

import (
	"math"
	"slices"
)

// NonInferiority is the result of a test that a new system is not worse than an
// old one by more than a margin.
type NonInferiority struct {
	N int `json:"n"`
	// Diff is the mean of New − Old, where higher is better.
	Diff   float64 `json:"diff"`
	Margin float64 `json:"margin"`
	Alpha  float64 `json:"alpha"`
	// Lower and Upper are one-sided bounds of the mean difference, each at level
	// 1 − Alpha.
	Lower float64 `json:"lower"`
	Upper float64 `json:"upper"`
	// TLower and TUpper are the bounds of Student's t with the cluster-robust standard
	// error.
	TLower float64 `json:"t_lower"`
	TUpper float64 `json:"t_upper"`
	// P is the one-sided p-value of the hypothesis that the new system is worse
	// by Margin or more.
	P float64 `json:"p"`
	// Shown is set if P is below Alpha, that is, if Lower is above −Margin; Worse
	// is set if Upper is below −Margin. If neither is set, there are too few
	// cases to tell. Needed is then the number of cases with which these
	// differences would decide; 0 if it is not known.
	Shown  bool `json:"shown"`
	Worse  bool `json:"worse"`
	Needed int  `json:"needed,omitempty"`
	// TooFew is set if too few differ ([NonInferior]), or there are so few clusters that no scores could be
	// significant at Alpha ([LeastClusters]): at 0.05, four or fewer. The test then has no bounds;
	// Lower and Upper are those of Student's t, widened to include −Margin.
	TooFew bool `json:"too_few,omitempty"`
}

// NonInferior tests whether the mean difference of the pairs is above −margin. alpha, at
// most 0.5, is the probability that a system which is worse by margin passes. A margin of 0
// requires a significant gain, which identical systems do not have; a negative margin
// requires a gain larger than that. Pairs with a number that is not finite are dropped.
//
// width is the largest difference that a pair can have, 0 if it is not known, an infinity if there is none. The test is that
// of [boundsWithin] for all differences if width is negative, of the same size. If all values
// are 0 or 1, all differences are equal, or no more than half of the clusters differ, the test
// is that of [boundsWithin], which keeps alpha whatever the differences are like. Others have
// the one-sided sign-flip test of whole clusters on the differences plus margin, exact or
// sampled as in [CompareAll]. It relies on differences that vary as much as others would,
// which those that are mostly 0 do not. Without a largest difference these have the test of
// [boundsWithin] the largest one, and no result if fewer than [fewResampled] clusters differ.
//
// ok is false with fewer than two clusters, if margin or alpha is out of range, and without
// a width if all differences are equal, because these do not show how far others may be.
func NonInferior(pairs []Pair, width, margin, alpha float64, seed uint64) (r NonInferiority, ok bool) {
	always, within := width < 0, slices.Clone(pairs)
	for i := range within {
		within[i].Width = math.Abs(width)
	}
	d := subtract(within, margin)
	if !isFinite(margin) || !(alpha > 0 && alpha <= 0.5) {
		return r, false
	}
	t, _, ok := d.student(1 - alpha)
	if !ok {
		return r, false
	}
	r = NonInferiority{N: len(d.samples), Diff: d.unscaled(d.mean), Margin: margin, Alpha: alpha, TLower: t.Lo, TUpper: t.Hi}
	switch {
	case d.known && d.ratio && (always || d.binary || 2*len(d.differing(0)) <= len(d.groups) || d.even()), d.sparse() && !d.even():
		d.boundMargin(&r)
	case d.even():
		return NonInferiority{}, false
	default:
		eachFlips([]differences{d}, seed, func(_ int, f *flips) { d.decideMargin(&r, f) })
	}
	return r, true
}

// boundMargin fills in the test of differences of which none can be larger than the end.
func (d differences) boundMargin(r *NonInferiority) {
	items, margin := singly(d.samples), d.scaled(r.Margin)
	if k := len(d.differing(0)); d.open && k < fewResampled {
		r.TooFew, r.P, r.Needed = true, 1, (r.N*fewResampled+k-1)/k
		r.bound(r.widened())
		return
	}
	up, down := boundedFrom(-d.end, 1, items, d.groups), boundedFrom(d.end, -1, items, d.groups)
	r.P = up.share(d.end-margin, oneSided)
	// Clusters that agree by chance have a design effect of 1.
	clustered := len(d.groups) < len(d.samples)
	if clustered && len(d.groups) < LeastClusters(2*r.Alpha) {
		r.TooFew, r.P = true, max(r.P, math.Ldexp(1, -len(d.groups)))
		r.bound(r.widened())
		return
	}
	r.Shown, r.Worse = r.P < r.Alpha, down.share(d.end+margin, oneSided) < r.Alpha
	r.bound(*d.bounds(r.Alpha, oneSided))
	if r.Shown || r.Worse {
		return
	}
	times, ok := up.clearing(d.end-margin, r.Alpha)
	if !ok {
		times, ok = down.clearing(d.end+margin, r.Alpha)
	}
	if ok {
		r.Needed = int(math.Ceil(times * float64(r.N)))
	}
}

// decideMargin fills in the sign-flip test and its bounds.
func (d differences) decideMargin(r *NonInferiority, f *flips) {
	margin := d.scaled(r.Margin)
	var better float64
	r.P, better = f.oneSided(-margin)
	if differing := d.differing(margin); !f.exact && len(differing) <= exactClusters {
		r.P, better = enumerate(differing).oneSided(0)
	}
	r.Shown, r.Worse = r.P < r.Alpha, better < r.Alpha
	b, ok := f.bounds(r.Alpha)
	if !ok {
		r.TooFew = !r.Shown && !r.Worse
		b = r.widened()
	} else {
		b = Interval{d.unscaled(b.Lo), d.unscaled(b.Hi)}
	}
	if width := d.unit; d.known {
		b = b.Clip(-width, width)
		r.TLower, r.TUpper = max(r.TLower, -width), min(r.TUpper, width)
	}
	r.bound(b)
	// The distance to the bound falls with the root of the number of cases.
	near, room := r.Diff-r.Lower, r.Diff+r.Margin
	if room < 0 {
		near = r.Upper - r.Diff
	}
	if n := near / room * near / room * float64(r.N); !r.Shown && !r.Worse && !r.TooFew && n < 1e6*float64(r.N) {
		r.Needed = int(math.Ceil(n))
	}
}

// widened returns the bounds of Student's t with −Margin.
func (r *NonInferiority) widened() Interval {
	return Interval{min(r.TLower, -r.Margin), max(r.TUpper, -r.Margin)}
}

// bound sets the bounds so that they contain the difference and agree with the
// tests; see agree for why they may not.
func (r *NonInferiority) bound(b Interval) {
	r.Lower, r.Upper = min(b.Lo, r.Diff), max(b.Hi, r.Diff)
	// Not −r.Margin, because −0 would be printed as "-0".
	bar := 0 - r.Margin
	switch {
	case r.Shown && r.Lower <= bar:
		r.Lower = math.Nextafter(bar, math.Inf(1))
	case !r.Shown && r.Lower >= bar:
		r.Lower = bar
	}
	switch {
	case r.Worse && r.Upper >= bar:
		r.Upper = math.Nextafter(bar, math.Inf(-1))
	case !r.Worse && r.Upper <= bar:
		r.Upper = bar
	}
}
