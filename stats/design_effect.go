package stats

// DesignEffect is how many times the variance of the mean grows because samples
// share clusters: (cluster-robust standard error / plain standard error)². Above
// 1, n samples are worth n/DesignEffect independent ones, and a sample size is
// to be multiplied by it; below 1, samples of one cluster differ more than
// samples of several. ok is false below two samples or clusters, without any
// spread, and with numbers that are not finite or too large to be squared.
// Source: Kish, Survey Sampling, 1965; Miller, arXiv 2411.00640.
func DesignEffect(samples []Sample) (deff float64, ok bool) {
	if len(samples) < 2 {
		return 0, false
	}
	m := meanOf(samples)
	robust, df := standardError(samples, m)
	plain := variance(samples, m) / float64(len(samples))
	deff = robust * robust / plain
	if df < 1 || !isFinite(deff) {
		return 0, false
	}
	return deff, true
}
