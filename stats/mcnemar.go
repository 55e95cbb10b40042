package stats

// A ChangedVerdicts compares two systems by a binary verdict per case.
type ChangedVerdicts struct {
	// N counts the cases, NewOnly those that only the new system passes, OldOnly
	// those that only the old one passes.
	N       int `json:"n"`
	NewOnly int `json:"new_only"`
	OldOnly int `json:"old_only"`
	// P is the exact two-sided p-value of the hypothesis that changes in both
	// directions are equally likely.
	P float64 `json:"p"`
	// MidP counts half of the probability of the observed outcome. It keeps its
	// level on average, but not always.
	MidP float64 `json:"mid_p"`
	// RiskDifference is the new system's pass rate minus the old one's: (NewOnly
	// − OldOnly)/N.
	RiskDifference float64 `json:"risk_difference"`
}

// McNemar tests whether two systems pass equally often on the same n cases, using
// the cases in which they differ. With b and c such cases and k = min(b, c):
//
//	p = 2·Σ_{j≤k} C(b+c, j)/2^(b+c), at most 1;  mid-p = p − C(b+c, k)/2^(b+c)
//
// where mid-p uses p before it is capped at 1. Without such cases both are 1. The
// sign-flip test of the differences −1, 0 and 1 has the same exact p. ok is false
// for negative counts, if more cases differ than there are, or without cases.
// Source: McNemar, Psychometrika 1947; mid-p: Fagerland, Lydersen and Laake, BMC
// Medical Research Methodology 2013.
func McNemar(newOnly, oldOnly, n int) (r ChangedVerdicts, ok bool) {
	if newOnly < 0 || oldOnly < 0 || n < 1 || newOnly > n-oldOnly {
		return r, false
	}
	r = ChangedVerdicts{N: n, NewOnly: newOnly, OldOnly: oldOnly, P: 1, MidP: 1}
	r.RiskDifference = float64(newOnly-oldOnly) / float64(n)
	changed := newOnly + oldOnly
	if changed == 0 {
		return r, true
	}
	few := min(newOnly, oldOnly)
	tails := 2 * binomialCDF(few, changed, 0.5)
	r.P = min(1, tails)
	r.MidP = min(1, tails-binomialProb(few, changed, 0.5))
	return r, true
}
