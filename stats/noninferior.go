package stats

// NonInferiority says whether a new system may be taken for no worse than an old
// one, up to a margin.
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
	// Shown is set when Lower lies above −Margin, and Worse when Upper lies
	// below it. Neither means that there are too few cases to tell.
	Shown bool `json:"shown"`
	Worse bool `json:"worse"`
}

// NonInferior tests whether the mean difference of the pairs is above −margin by
// a one-sided sign-flip test of whole clusters on the differences plus margin
// (metrics.md §4.5). alpha is the chance of a pass for a system that is truly
// worse by margin. ok is false with fewer than two clusters.
func NonInferior(pairs []Pair, margin, alpha float64, seed uint64) (r NonInferiority, ok bool) {
	panic("not written yet")
}
