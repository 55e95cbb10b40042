package stats

import (
	"math"
	"slices"
)

// A Labelled is an item scored by both a person and the judge.
type Labelled struct {
	Human, Judge float64
	// Cluster is "" for an independent item.
	Cluster string
}

// PPIOptions configure [PPI].
type PPIOptions struct {
	// Level is the level of the interval; 0 means [DefaultLevel].
	Level float64
	// Lambda fixes the weight of the judge: 0 uses only the labels, 1 is the
	// unweighted estimator. nil minimizes the estimated variance.
	Lambda *float64
	// Range has the smallest and the largest label; nil if there are none. The interval then
	// holds near these ends too, where few labels may all be equal.
	Range *Interval
	// Normal uses the normal quantile even below 50 labels, where the default is
	// Student's quantile with one degree of freedom less than labels (or
	// clusters).
	Normal bool
}

// A Powered is the mean of the judge's scores, corrected by human labels.
type Powered struct {
	// Lambda is the weight of the judge, 0…1.
	Lambda float64  `json:"lambda"`
	Mean   float64  `json:"mean"`
	SE     float64  `json:"se"`
	CI     Interval `json:"ci"`
	// Human is the mean of the labels alone, with its standard error; Judge is
	// the judge's mean over unlabelled items.
	Human   float64 `json:"human"`
	HumanSE float64 `json:"human_se"`
	Judge   float64 `json:"judge"`
	// EffectiveN is the number of labels that alone would give the same standard
	// error, or as narrow an interval if labels have a range; nil if that is 0 or nearly 0.
	EffectiveN *float64 `json:"effective_n"`
	N          int      `json:"n"`
	Unlabelled int      `json:"unlabelled"`
}

// fewLabels is the number of labels below which the interval uses Student's
// quantile.
const fewLabels = 50

// PPI estimates the mean that people would give to a whole population, from the
// labels of a random sample and the judge's scores of the rest
// (prediction-powered inference, PPI++):
//
//	λ = cov(Y,F) / ((1+n/N)·var(F∪U)), clipped to 0…1
//	θ = λ·mean(U) + mean(Y − λF)
//	var θ = λ²·var(U)/N + var(Y − λF)/n
//
// where Y and F are the human and judge scores of the n labelled items and U the
// judge's scores of N others; variances divide by n−1, and are cluster-robust if
// items share clusters. A biased or poor judge only widens the interval. The
// labelled items must be a random sample, and no cluster may be in both sets. ok
// is false with fewer than two items or clusters in either set, with a number
// that is not finite or too large to square, or if the level is not between 0 and
// 1. Source: Angelopoulos, Duchi and Zrnic, arXiv 2311.01453.
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
		q = TQuantile((1+o.Level)/2, df)
	}
	p.CI = Interval{p.Mean - q*p.SE, p.Mean + q*p.SE}
	r := p.HumanSE / p.SE
	if o.Range != nil {
		least, most := slices.Min(all), slices.Max(all)
		extra := zQuantile((1+o.Level)/2) * math.Abs(p.Lambda) * seRest
		lo := o.Range.Lo - max(p.Lambda*least, p.Lambda*most)
		hi := o.Range.Hi - min(p.Lambda*least, p.Lambda*most)
		p.CI = correctedWithin(p.Mean, singly(rectifier), clusters(rectifier), lo, hi, extra, o.Level, *o.Range)
		alone := boundsWithin(singly(human), clusters(human), o.Range.Lo, o.Range.Hi, (1-o.Level)/2, twoSided)
		r = alone.Half() / p.CI.Half()
	}
	if isFinite(float64(n) * r * r) {
		e := float64(n) * r * r
		p.EffectiveN = &e
	}
	// Sums of huge numbers may overflow.
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

// covariance divides by n−1; the lists must have the same length, at least two.
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
