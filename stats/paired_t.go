package stats

import (
	"math"
)

// A TTest is the result of Student's test of a mean difference of zero.
type TTest struct {
	// N counts the differences, Clusters their clusters; they are equal if no
	// cluster is shared.
	N        int     `json:"n"`
	Clusters int     `json:"clusters"`
	Mean     float64 `json:"mean"`
	// SE is the standard error of Mean, cluster-robust if clusters are shared.
	SE float64 `json:"se"`
	// T is Mean/SE; nil if SE is 0.
	T *float64 `json:"t"`
	// DF is the degrees of freedom, Clusters − 1.
	DF float64 `json:"df"`
	// P is two-sided.
	P  float64  `json:"p"`
	CI Interval `json:"ci"`
	// DZ is Mean in units of the standard deviation of the differences; nil if
	// they are all equal.
	DZ *float64 `json:"dz"`
	// Constant warns that SE is 0. P is then 1 or 0 and CI has no width, because
	// there is no spread, not because of strong evidence.
	Constant bool `json:"constant,omitempty"`
}

// PairedT tests whether the mean of paired differences is zero:
//
//	t = mean/se, se = s/√n, n − 1 degrees of freedom
//
// where s is the standard deviation (n − 1). If differences share clusters, se is
// cluster-robust, with one degree of freedom less than clusters, as in [Mean].
// Differences that are equal up to rounding have P = 1 if they are 0, else 0, and
// set Constant. ok is false below two differences or clusters, with numbers that
// are not finite or too large to square, or if the level is not between 0 and 1.
// Source: Student, Biometrika 1908; Miller, arXiv 2411.00640.
func PairedT(diffs []Sample, level float64) (r TTest, ok bool) {
	if len(diffs) < 2 || !isLevel(level) {
		return r, false
	}
	r = TTest{N: len(diffs), Clusters: len(clusters(diffs)), Mean: meanOf(diffs), P: 1}
	if r.Clusters < 2 {
		return TTest{}, false
	}
	r.SE, r.DF = standardError(diffs, r.Mean)
	largest := 0.0
	for _, d := range diffs {
		largest = max(largest, math.Abs(d.Value))
	}
	sd := math.Sqrt(variance(diffs, r.Mean))
	if !finite([]float64{r.Mean, r.SE, sd, largest}) {
		return TTest{}, false
	}
	if sd > rounding*largest {
		dz := r.Mean / sd
		r.DZ = &dz
	}
	if r.SE <= rounding*largest {
		r.SE, r.Constant = 0, true
		if math.Abs(r.Mean) > tie {
			r.P = 0
		}
		r.CI = Interval{r.Mean, r.Mean}
		return r, true
	}
	t := r.Mean / r.SE
	r.T = &t
	r.P = min(1, 2*tSurvival(math.Abs(t), r.DF))
	ci := studentInterval(r.Mean, r.SE, r.DF, level)
	if ci == nil {
		return TTest{}, false
	}
	r.CI = *ci
	return r, true
}

// rounding is the share of the largest value below which a spread counts as a
// rounding error.
const rounding = 1e-14

// variance divides by n − 1; it needs two samples or more, with mean m.
func variance(samples []Sample, m float64) float64 {
	sum := 0.0
	for _, s := range samples {
		sum += (s.Value - m) * (s.Value - m)
	}
	return sum / float64(len(samples)-1)
}
