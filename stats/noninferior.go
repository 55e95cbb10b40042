package stats

import "math"

// NonInferiority is the result of a test that a new system is not worse than an
// old one by more than a margin.
type NonInferiority struct {
	N int `json:"n"`
	// Diff is the mean of New − Old, where higher is better.
	Diff   float64 `json:"diff"`
	Margin float64 `json:"margin"`
	Alpha  float64 `json:"alpha"`
	// Lower and Upper are one-sided bounds of the mean difference, each at level
	// 1 − Alpha, from inverting the sign-flip test; TLower and TUpper are those
	// of Student's t with the cluster-robust standard error.
	Lower  float64 `json:"lower"`
	Upper  float64 `json:"upper"`
	TLower float64 `json:"t_lower"`
	TUpper float64 `json:"t_upper"`
	// P is the one-sided p-value of the hypothesis that the new system is worse
	// by Margin or more.
	P float64 `json:"p"`
	// Shown is set if P is below Alpha, that is, if Lower is above −Margin; Worse
	// is set if Upper is below −Margin. If neither is set, there are too few
	// cases to tell.
	Shown bool `json:"shown"`
	Worse bool `json:"worse"`
	// TooFew is set if there are so few clusters that no scores could be
	// significant at Alpha: at 0.05, four or fewer. The test then has no bounds;
	// Lower and Upper are those of Student's t, widened to include −Margin.
	TooFew bool `json:"too_few,omitempty"`
}

// NonInferior tests whether the mean difference of the pairs is above −margin,
// with a one-sided sign-flip test of whole clusters on the differences plus
// margin; the test is exact or sampled as in [CompareAll]. alpha, at most 0.5, is
// the probability that a system which is worse by margin passes. A margin of 0
// requires a significant gain, which identical systems do not have; a negative
// margin requires a gain larger than that. Pairs with a number that is not finite
// are dropped. ok is false with fewer than two clusters, or if margin or alpha is
// out of range.
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
