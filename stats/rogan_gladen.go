package stats

import "math"

// A Rate is an estimated share with its interval.
type Rate struct {
	Value float64  `json:"value"`
	SE    float64  `json:"se"`
	CI    Interval `json:"ci"`
}

// RoganGladen corrects the pass rate reported by a judge for the judge's errors:
// (p + specificity − 1)/(sensitivity + specificity − 1), clipped to 0…1. p is the
// pass rate among n items of the run; labels counts the judge's rulings against
// people's. The interval includes the sampling error of the run and of both error
// rates, as if the labelled items were not part of the run. The correction
// assumes that the judge's error rates on the run are those on the labelled
// items, which fails if the quality of the answers shifts. ok is false without
// items, if a label does not occur, or if the judge is no better than chance
// (sensitivity + specificity ≤ 1). Sources: Rogan and Gladen, American Journal of
// Epidemiology 107, 1978; Lee and others, arXiv 2511.21140.
func RoganGladen(passed float64, n int, labels Confusion, level float64) (r Rate, ok bool) {
	sensitivity, okA := labels.Sensitivity()
	specificity, okB := labels.Specificity()
	gain := sensitivity + specificity - 1
	if !okA || !okB || n < 1 || gain <= 0 || !isLevel(level) || !(passed >= 0 && passed <= 1) {
		return r, false
	}
	r.Value = min(max((passed+specificity-1)/gain, 0), 1)
	v := passed*(1-passed)/float64(n) +
		(1-r.Value)*(1-r.Value)*specificity*(1-specificity)/float64(labels.Negatives()) +
		r.Value*r.Value*sensitivity*(1-sensitivity)/float64(labels.Positives())
	r.SE = math.Sqrt(v) / gain
	half := zQuantile((1+level)/2) * r.SE
	r.CI = Interval{r.Value - half, r.Value + half}.Clip(0, 1)
	return r, true
}
