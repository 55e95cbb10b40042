package stats

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
)

const (
	// bcaClusters is the number of clusters from which BCa is the better
	// interval; below it is too narrow when most differences are 0 (metrics.md
	// §4.1, simulation).
	bcaClusters = 200
	// exhaustClusters is the most clusters whose resamples are all listed: 5^5
	// are 3,125.
	exhaustClusters = 5
)

// ResampleOptions are the choices of [Resample].
type ResampleOptions struct {
	// Level of the intervals; 0 means [DefaultLevel].
	Level float64
	// Resamples to draw; 0 means 10,000. With five clusters or fewer all
	// possible ones are listed instead.
	Resamples int
	Seed      uint64
}

// Resampled is a statistic with its bootstrap intervals.
type Resampled struct {
	Value float64 `json:"value"`
	// Clusters counts what is resampled, Resamples how often, and Undefined
	// the resamples that have no value; they are left out.
	Clusters  int `json:"clusters"`
	Resamples int `json:"resamples"`
	Undefined int `json:"undefined,omitempty"`
	// Exhaustive tells that all possible resamples were listed, so that no seed
	// matters.
	Exhaustive bool `json:"exhaustive,omitempty"`
	// SE is the standard deviation of the statistic over the resamples.
	SE float64 `json:"se"`
	// Percentile is the plain interval, BCa that corrected for bias and
	// acceleration, Studentized that of the resampled t. Each is nil when it
	// cannot be given.
	Percentile  *Interval `json:"percentile"`
	BCa         *Interval `json:"bca"`
	Studentized *Interval `json:"studentized,omitempty"`
	// Z0 and Acceleration are what BCa corrects for, Levels the quantiles of
	// the resamples that it takes; meaningless when BCa is nil.
	Z0           float64    `json:"z0"`
	Acceleration float64    `json:"acceleration"`
	Levels       [2]float64 `json:"levels"`
}

// Interval is the one to print: BCa from 200 clusters, below it or without it
// the percentile interval; nil when there is neither.
func (r Resampled) Interval() *Interval {
	if r.Clusters >= bcaClusters && r.BCa != nil {
		return r.BCa
	}
	return r.Percentile
}

// A Statistic is computed on the items of a sample, given as indices grouped by
// cluster; an item occurs as often as its cluster was drawn. ok is false where
// it is undefined. se is its standard error there, for [Resampled].Studentized,
// or 0 when none is known.
type Statistic func(clusters [][]int) (value, se float64, ok bool)

// Resample gives bootstrap intervals of a statistic that is no mean, as a
// median, an AUROC or an F1 of pooled counts. Clusters name that of each item, ""
// is one by itself; whole clusters are drawn with replacement, with a generator
// seeded by seed, or all samples of five or fewer are listed. With θ the
// statistic of the items, θ* of a resample and quantiles of type 7:
//
//	percentile   θ*_{α/2} … θ*_{1−α/2}
//	BCa          the θ* at Φ(z₀ + (z₀+z)/(1 − a(z₀+z))), z = ±z_{1−α/2}, with
//	             z₀ = Φ⁻¹(share of θ* below θ + half of those equal) and
//	             a = Σ(j̄−j)³/(6·(Σ(j̄−j)²)^1.5) of the leave-one-out values j
//	studentized  θ − t*_{1−α/2}·se … θ − t*_{α/2}·se, t* = (θ*−θ)/se*
//
// Values within 1e-12 are equal. BCa is absent when the statistic is undefined
// without some cluster, or all resamples lie on one side; the studentized
// interval when its statistic gives no se, or one of its ends falls on resamples
// without spread. All are absent when more than a tenth of the resamples are
// undefined. ok is false with fewer than two clusters, when the statistic is
// undefined or not finite on the items, and at a level that is not between 0
// and 1. With items few or mostly equal every bootstrap is too narrow:
// docs/results/statistics.md says by how much. Source: Efron and Tibshirani, An
// Introduction to the Bootstrap, 1993, chapters 12–14.
func Resample(clusters []string, o ResampleOptions, statistic Statistic) (r Resampled, ok bool) {
	groups := members(clusters)
	drawn := make([][]int, 0, len(groups))
	return o.resample(len(groups), func(draw []int) (value, se float64, ok bool) {
		drawn = drawn[:0]
		for _, g := range draw {
			drawn = append(drawn, groups[g])
		}
		return statistic(drawn)
	})
}

// resample does so with a statistic of the places of clusters, of which there
// are n.
func (o ResampleOptions) resample(n int, statistic func(draw []int) (value, se float64, ok bool)) (r Resampled, ok bool) {
	if o.Level == 0 {
		o.Level = DefaultLevel
	}
	if o.Resamples < 1 {
		o.Resamples = resamples
	}
	if n < 2 || !isLevel(o.Level) {
		return r, false
	}
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	value, se, ok := statistic(all)
	if !ok || !isFinite(value) {
		return r, false
	}
	r = Resampled{Value: value, Clusters: n, Exhaustive: n <= exhaustClusters}
	b := &bootstrap{value: value, studentized: se > 0 && isFinite(se)}
	draw := make([]int, n)
	if r.Exhaustive {
		b.list(draw, 0, statistic)
	} else {
		rng := rand.New(rand.NewPCG(o.Seed, 4))
		for range o.Resamples {
			for i := range draw {
				draw[i] = rng.IntN(n)
			}
			b.add(statistic(draw))
		}
	}
	r.Resamples, r.Undefined = b.drawn, b.drawn-len(b.values)
	if float64(r.Undefined) > undefinedShare*float64(r.Resamples) {
		return r, true
	}
	mean := average(b.values)
	r.SE = math.Sqrt(max(0, meanSquare(b.values, mean)))
	if !isFinite(r.SE) {
		return Resampled{}, false
	}
	slices.Sort(b.values)
	r.Percentile = quantiles(b.values, (1-o.Level)/2, (1+o.Level)/2)
	r.bca(b, o.Level, statistic)
	if b.studentized {
		r.Studentized = b.student(se, o.Level)
	}
	return r, true
}

// ResampleMean gives bootstrap intervals of the mean of samples, the studentized
// one by the cluster-robust standard error of each resample. For a mean [Mean]
// gives the interval to print; this one is to compare with. See [Resample].
func ResampleMean(samples []Sample, o ResampleOptions) (r Resampled, ok bool) {
	groups := clusters(samples)
	return o.resample(len(groups), func(draw []int) (m, se float64, ok bool) {
		n := 0.0
		for _, i := range draw {
			m += groups[i].sum
			n += groups[i].n
		}
		m /= n
		for _, i := range draw {
			d := groups[i].sum - groups[i].n*m
			se += d * d
		}
		// As in standardError: Σd²/n² · G/(G−1). Leaving one of two out leaves
		// one cluster, which has no error.
		if g := float64(len(draw)); g > 1 {
			return m, math.Sqrt(se*g/(g-1)) / n, true
		}
		return m, 0, true
	})
}

// bootstrap gathers the values of resamples.
type bootstrap struct {
	value  float64
	values []float64
	drawn  int
	// studentized asks for t, which holds that of each resample with a value.
	studentized bool
	t           []float64
}

func (b *bootstrap) add(value, se float64, ok bool) {
	b.drawn++
	if !ok || !isFinite(value) {
		return
	}
	b.values = append(b.values, value)
	if !b.studentized {
		return
	}
	d := value - b.value
	switch {
	case se > spreadless && isFinite(d/se):
		b.t = append(b.t, d/se)
	case math.Abs(d) <= tie:
		b.t = append(b.t, 0)
	default:
		b.t = append(b.t, math.Inf(cmp.Compare(d, 0)))
	}
}

// spreadless is a standard error that is rounding: a resample of one value only
// has t = 0 when it is the mean, else beyond every number.
const spreadless = 1e-12

// list adds every resample: draw is filled up from place k.
func (b *bootstrap) list(draw []int, k int, statistic func([]int) (float64, float64, bool)) {
	if k == len(draw) {
		b.add(statistic(draw))
		return
	}
	for g := range draw {
		draw[k] = g
		b.list(draw, k+1, statistic)
	}
}

// bca fills in the interval that is corrected for bias and acceleration.
func (r *Resampled) bca(b *bootstrap, level float64, statistic func([]int) (float64, float64, bool)) {
	share := 0.0
	for _, v := range b.values {
		switch d := v - b.value; {
		case d < -tie:
			share++
		case d <= tie:
			share += 0.5
		}
	}
	share /= float64(len(b.values))
	if !isLevel(share) {
		return
	}
	a, ok := acceleration(r.Clusters, statistic)
	if !ok {
		return
	}
	r.Z0, r.Acceleration = zQuantile(share), a
	for i, z := range []float64{zQuantile((1 - level) / 2), zQuantile((1 + level) / 2)} {
		shrink := 1 - a*(r.Z0+z)
		// Beyond the pole the formula turns round.
		if shrink <= 0 {
			return
		}
		r.Levels[i] = phi(r.Z0 + (r.Z0+z)/shrink)
	}
	r.BCa = quantiles(b.values, r.Levels[0], r.Levels[1])
}

// acceleration is the skewness of the leave-one-out values, over 6.
func acceleration(n int, statistic func([]int) (float64, float64, bool)) (a float64, ok bool) {
	left := make([]float64, n)
	rest := make([]int, n-1)
	for i := range rest {
		rest[i] = i + 1
	}
	for i := range left {
		// All but i: the place before holds what was left out last.
		if i > 0 {
			rest[i-1] = i - 1
		}
		v, _, ok := statistic(rest)
		if !ok || !isFinite(v) {
			return 0, false
		}
		left[i] = v
	}
	m := average(left)
	var square, cube float64
	for _, v := range left {
		d := m - v
		square += d * d
		cube += d * d * d
	}
	if square <= tie*tie {
		return 0, true
	}
	a = cube / (6 * square * math.Sqrt(square))
	return a, isFinite(a)
}

// student is the interval of the resampled t; nil when an end falls on a
// resample that has no spread.
func (b *bootstrap) student(se, level float64) *Interval {
	slices.Sort(b.t)
	lo, _ := Quantile(b.t, (1-level)/2)
	hi, _ := Quantile(b.t, (1+level)/2)
	ci := Interval{b.value - hi*se, b.value - lo*se}
	if !isFinite(ci.Lo) || !isFinite(ci.Hi) {
		return nil
	}
	return &ci
}

// quantiles gives two quantiles of sorted values.
func quantiles(sorted []float64, lo, hi float64) *Interval {
	a, ok := Quantile(sorted, lo)
	b, _ := Quantile(sorted, hi)
	if !ok || !isFinite(a) || !isFinite(b) {
		return nil
	}
	return &Interval{a, b}
}

func meanSquare(values []float64, m float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += (v - m) * (v - m)
	}
	return sum / float64(len(values))
}
