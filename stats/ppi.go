package stats

import "math"

// A Labelled is one item that a person and the judge both scored.
type Labelled struct {
	Human, Judge float64
	// Cluster is "" for an item that is independent of all others.
	Cluster string
}

// PPIOptions are the choices of [PPI].
type PPIOptions struct {
	// Level of the interval; 0 means [DefaultLevel].
	Level float64
	// Lambda forces the weight of the judge: 0 uses the labels alone, 1 is the
	// unweighted estimator. Nil takes the weight that promises least variance.
	Lambda *float64
	// Normal takes the normal quantile also below 50 labels, where Student's
	// with one degree of freedom less than labels (or clusters) is the default.
	Normal bool
}

// A Powered is a mean that labels of people correct and the judge sharpens.
type Powered struct {
	// Lambda is the weight of the judge, 0…1.
	Lambda float64  `json:"lambda"`
	Mean   float64  `json:"mean"`
	SE     float64  `json:"se"`
	CI     Interval `json:"ci"`
	// Human is the mean of the labels alone, with its standard error; Judge is
	// the mean of the judge where there is no label.
	Human   float64 `json:"human"`
	HumanSE float64 `json:"human_se"`
	Judge   float64 `json:"judge"`
	// EffectiveN is how many labels alone would have given the same standard
	// error; nil when that is 0, or next to it.
	EffectiveN *float64 `json:"effective_n"`
	N          int      `json:"n"`
	Unlabelled int      `json:"unlabelled"`
}

// fewLabels is the number of labels below which the interval takes Student's
// quantile (metrics.md §3.4).
const fewLabels = 50

// PPI estimates the mean that people would give to a whole population from the
// labels of a random sample and the judge's scores of the rest (prediction
// powered inference, PPI++):
//
//	λ = cov(Y,F) / ((1+n/N)·var(F∪U)), cut to 0…1
//	θ = λ·mean(U) + mean(Y − λF)
//	var θ = λ²·var(U)/N + var(Y − λF)/n
//
// with Y and F the human and judge scores of the n labelled items and U the
// judge's of N others; variances divide by n−1, and are cluster-robust where
// items share clusters. A judge that is biased or poor only widens the interval.
// But the labelled items must be a random sample, and clusters must not reach
// across both sets. It is not ok with fewer than two items, or two clusters, in
// either set, with a number that is not finite or too large to be squared, or at a
// level that is not between 0 and 1. Source: Angelopoulos, Duchi and Zrnic, arXiv
// 2311.01453.
func PPI(labelled []Labelled, rest []Sample, o PPIOptions) (p Powered, ok bool) {
	if o.Level == 0 {
		o.Level = DefaultLevel
	}
	n, m := len(labelled), len(rest)
	if n < 2 || m < 2 || !isLevel(o.Level) || o.Lambda != nil && !isFinite(*o.Lambda) {
		return p, false
	}
	human, all := make([]Sample, n), make([]float64, 0, n+m)
	judged := make([]float64, n)
	given := make([]float64, n)
	for i, l := range labelled {
		human[i] = Sample{l.Human, l.Cluster}
		given[i], judged[i] = l.Human, l.Judge
	}
	all = append(all, judged...)
	for _, r := range rest {
		all = append(all, r.Value)
	}
	if !finite(given) || !finite(all) {
		return p, false
	}
	switch spread := covariance(all, all); {
	case o.Lambda != nil:
		p.Lambda = *o.Lambda
	case spread > 0:
		p.Lambda = min(max(covariance(given, judged)/((1+float64(n)/float64(m))*spread), 0), 1)
	}
	rectifier := make([]Sample, n)
	for i, l := range labelled {
		rectifier[i] = Sample{l.Human - p.Lambda*l.Judge, l.Cluster}
	}
	restMean, rectified := meanOf(rest), meanOf(rectifier)
	p.N, p.Unlabelled = n, m
	p.Human, p.Judge = meanOf(human), restMean
	p.Mean = p.Lambda*restMean + rectified
	seRest, dfRest := standardError(rest, restMean)
	seRect, df := standardError(rectifier, rectified)
	if dfRest < 1 || df < 1 {
		return Powered{}, false
	}
	p.HumanSE, _ = standardError(human, p.Human)
	p.SE = math.Hypot(p.Lambda*seRest, seRect)
	q := zQuantile((1 + o.Level) / 2)
	if n < fewLabels && !o.Normal {
		q = tQuantile((1+o.Level)/2, df)
	}
	p.CI = Interval{p.Mean - q*p.SE, p.Mean + q*p.SE}
	if r := p.HumanSE / p.SE; isFinite(float64(n) * r * r) {
		e := float64(n) * r * r
		p.EffectiveN = &e
	}
	// Sums of huge numbers have no number.
	if !finite([]float64{p.Lambda, p.Mean, p.SE, p.CI.Lo, p.CI.Hi, p.Human, p.HumanSE, p.Judge}) {
		return Powered{}, false
	}
	return p, true
}

func meanOf(samples []Sample) float64 {
	sum := 0.0
	for _, s := range samples {
		sum += s.Value
	}
	return sum / float64(len(samples))
}

func finite(values []float64) bool {
	for _, v := range values {
		if !isFinite(v) {
			return false
		}
	}
	return true
}

// covariance divides by n−1; the lists are of one length, two or more.
func covariance(a, b []float64) float64 {
	var ma, mb, sum float64
	n := float64(len(a))
	for i := range a {
		ma += a[i] / n
		mb += b[i] / n
	}
	for i := range a {
		sum += (a[i] - ma) * (b[i] - mb)
	}
	return sum / (n - 1)
}
