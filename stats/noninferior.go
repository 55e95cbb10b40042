package stats

import "math"

// NonInferiority is the result of a test that a new system is no worse than an
// old one, up to a margin.
type NonInferiority struct {
	N int `json:"n"`
	// Diff is the mean of New − Old, where more is better.
	Diff   float64 `json:"diff"`
	Margin float64 `json:"margin"`
	Alpha  float64 `json:"alpha"`
	// Lower and Upper are one-sided bounds of the mean difference, each at the
	// level 1 − Alpha, by inversion of the sign-flip test; TLower and TUpper
	// are those of Student's t on the cluster-robust standard error.
	Lower  float64 `json:"lower"`
	Upper  float64 `json:"upper"`
	TLower float64 `json:"t_lower"`
	TUpper float64 `json:"t_upper"`
	// P is the one-sided p-value of the hypothesis that the new system is worse
	// by Margin or more.
	P float64 `json:"p"`
	// Shown is set when P is below Alpha, which is when Lower lies above
	// −Margin, and Worse when Upper lies below it. Neither means that there are
	// too few cases to tell.
	Shown bool `json:"shown"`
	Worse bool `json:"worse"`
	// TooFew is set when there are so few clusters that no scores whatever could
	// show anything at Alpha: at 0.05, four or fewer. The test then has no
	// bounds; Lower and Upper are those of Student's t, widened to hold −Margin.
	TooFew bool `json:"too_few,omitempty"`
}

// NonInferior tests whether the mean difference of the pairs is above −margin by
// a one-sided sign-flip test of whole clusters on the differences plus margin
// (metrics.md §4.5), exactly or by drawn patterns as [CompareAll] does. alpha, at
// most 0.5, is the chance of a pass for a system that is truly worse by margin.
// A margin of 0 asks for a shown gain, which systems that are equal in every
// case do not have; a negative one asks for a gain of more than that. Pairs with
// a number that is not finite are left out. ok is false with fewer than two
// clusters, and when margin or alpha is out of range.
func NonInferior(pairs []Pair, margin, alpha float64, seed uint64) (r NonInferiority, ok bool) {
	d := subtract(pairs, margin)
	if !isFinite(margin) || !(alpha > 0 && alpha <= 0.5) {
		return r, false
	}
	t, _, ok := d.student(1 - alpha)
	if !ok {
		return r, false
	}
	r = NonInferiority{N: len(d.samples), Diff: d.unscaled(d.mean), Margin: margin, Alpha: alpha, TLower: t.Lo, TUpper: t.Hi}
	eachFlips([]differences{d}, seed, func(_ int, f *flips) { d.decideMargin(&r, f) })
	return r, true
}

// decideMargin fills in the test and its bounds.
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
		b = Interval{min(r.TLower, -r.Margin), max(r.TUpper, -r.Margin)}
	} else {
		b = Interval{d.unscaled(b.Lo), d.unscaled(b.Hi)}
	}
	r.bound(b)
}

// bound sets the bounds so that they hold the difference and say what the tests
// say, which they may not for the reasons that agree gives.
func (r *NonInferiority) bound(b Interval) {
	r.Lower, r.Upper = min(b.Lo, r.Diff), max(b.Hi, r.Diff)
	// Not −r.Margin, which of 0 makes a negative 0.
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
