package stats

// SpearmanBrown is the reliability of the mean of k judges whose scores correlate
// pairwise by r: k·r/(1+(k−1)·r). It is not ok for k below 1, r outside −1…1, or
// where the denominator is not positive, which no k judges can all have.
func SpearmanBrown(r float64, k int) (reliability float64, ok bool) {
	d := 1 + float64(k-1)*r
	if k < 1 || !(r >= -1 && r <= 1) || d <= 0 {
		return 0, false
	}
	return float64(k) * r / d, true
}

// Noise splits the variance of a mean of judged scores into that of the items
// and that of the judge's passes.
type Noise struct {
	// Within is the mean variance over the passes of an item, Between that of
	// the items themselves.
	Within  float64 `json:"within"`
	Between float64 `json:"between"`
	// Mean is the variance of the mean score, OnePass what it would be with one
	// pass, ManyPasses with passes without end. More items help where Between is
	// the larger part, more passes where Within is.
	Mean       float64 `json:"var_mean"`
	OnePass    float64 `json:"var_mean_one_pass"`
	ManyPasses float64 `json:"var_mean_many_passes"`
}

// JudgeNoise splits the variance of scores[item][pass]:
// Var(mean) = Between/n + Within/(n·K), Within the mean variance within items and
// Between = max(0, var(item means) − Within/K). It is not ok with fewer than two
// items or passes, with items of different numbers of passes, or with a number
// that is not finite (metrics.md §3.2).
func JudgeNoise(scores [][]float64) (v Noise, ok bool) {
	n := len(scores)
	if n < 2 || len(scores[0]) < 2 {
		return v, false
	}
	k := len(scores[0])
	means := make([]float64, n)
	for i, s := range scores {
		if len(s) != k || !finite(s) {
			return Noise{}, false
		}
		for _, x := range s {
			means[i] += x / float64(k)
		}
		v.Within += covariance(s, s) / float64(n)
	}
	v.Between = max(0, covariance(means, means)-v.Within/float64(k))
	v.ManyPasses = v.Between / float64(n)
	v.OnePass = v.ManyPasses + v.Within/float64(n)
	v.Mean = v.ManyPasses + v.Within/float64(n*k)
	if !finite([]float64{v.Within, v.Between, v.Mean, v.OnePass, v.ManyPasses}) {
		return Noise{}, false
	}
	return v, true
}
