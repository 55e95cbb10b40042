package stats

import (
	"math"
	"math/rand/v2"
	"slices"
)

// A Whole holds values of which parts are set against the rest, one after the other. It is
// not safe for use by several goroutines at once.
type Whole struct {
	// values are less their mean, and divided by scale.
	values      []float64
	mean, scale float64
	// given are the values divided by scale, total is their sum, low and high the least and the largest.
	given            []float64
	total, low, high float64
	// squares, cubes and fourths are the sums of those powers of values.
	squares, cubes, fourths float64
	// cluster has the index of the cluster of each value, of which totals has the sums;
	// nested is set if any cluster has two values.
	cluster []int32
	totals  []cluster
	nested  bool
	// sizes is the sum of the squares of the clusters' sizes, alike the intraclass
	// correlation.
	sizes, alike float64
	// part has the part of each cluster; touched are the clusters that have one.
	part    []cluster
	touched []int32
	// order are the positions, in the order of the last draw.
	order []int32
}

// NewWhole returns the values. ok is false if there are fewer than three clusters, if all
// values are equal, or if one is not finite: no part of these can be told from the rest.
func NewWhole(samples []Sample) (w *Whole, ok bool) {
	w = &Whole{values: make([]float64, len(samples)), cluster: make([]int32, len(samples))}
	for _, s := range samples {
		if !isFinite(s.Value) {
			return w, false
		}
		w.scale = max(w.scale, math.Abs(s.Value))
	}
	if w.scale == 0 {
		return w, false
	}
	n := float64(len(samples))
	for _, s := range samples {
		w.mean += s.Value / w.scale / n
	}
	at := grouping{}
	largest := 0.0
	for i, s := range samples {
		w.given = append(w.given, s.Value/w.scale)
		w.total += w.given[i]
		v := w.given[i] - w.mean
		w.values[i], largest = v, max(largest, math.Abs(v))
		w.squares, w.cubes, w.fourths = w.squares+v*v, w.cubes+v*v*v, w.fourths+v*v*v*v
		g := at.index(s.Cluster, len(w.totals))
		if g == len(w.totals) {
			w.totals = append(w.totals, cluster{})
		}
		w.cluster[i] = int32(g)
		w.totals[g].sum += v
		w.totals[g].n++
	}
	w.low, w.high = slices.Min(w.given), slices.Max(w.given)
	w.nested = len(w.totals) < len(samples)
	for _, g := range w.totals {
		w.sizes += g.n * g.n
	}
	w.part = make([]cluster, len(w.totals))
	w.alike = w.correlation()
	return w, len(w.totals) > 2 && largest > tie
}

// correlation estimates the intraclass correlation by the analysis of variance, 0 to 1.
// Source: Donner, Int. Stat. Rev. 54, 1986.
func (w *Whole) correlation() float64 {
	n, groups := float64(len(w.values)), float64(len(w.totals))
	if !w.nested || groups < 2 {
		return 0
	}
	between := 0.0
	for _, g := range w.totals {
		between += g.sum * g.sum / g.n
	}
	within := max(0, w.squares-between) / (n - groups)
	between /= groups - 1
	size := (n - w.sizes/n) / (groups - 1)
	extra := (between - within) / size
	if extra <= 0 || size <= 0 {
		return 0
	}
	return extra / (extra + within)
}

// A Contrast sets the mean of a part against that of the rest.
type Contrast struct {
	// N counts the values of the part, Rest the others.
	N, Rest int
	// Mean and RestMean are their means, Diff is Mean − RestMean.
	Mean, RestMean, Diff float64
	// P is the two-sided p-value of the hypothesis that the part is one like any other.
	P float64
	// error and freedom are the standard error of Diff and its degrees of freedom.
	error, freedom float64
}

// Part sets the values at some positions against the others. The test is that of a
// permutation: how far from 0 Diff would be if the values of the part were drawn from all
// at random. The distribution is approximated by a Pearson type III distribution with the
// exact variance and skewness, so that tails are right for small parts of values of which
// nearly all are equal, such as hits, too.
//
// Where values share clusters, the variance is larger by the design effect of the part,
// 1 + r·(ΣW²/Σw² − 1), at least 1: r is the intraclass correlation, w the weight of a value
// in Diff and W the sum of these over a cluster; the skewness grows with its root, and the
// quantile of the statistic is taken for one of Student's distribution with a degree of
// freedom less than there are clusters. Sources: Mielke and Berry, Permutation Methods,
// 2007, for the approximation; Scott and Holt, JASA 77, 1982, for the design effect.
//
// Where the statistic of independent values is so far from normal that this can be rough, P
// is the share of up to 50,000 parts drawn at random, always the same ones, if that is
// larger. P is 1 if the part, or the rest, has fewer than two values.
func (w *Whole) Part(at []int32) Contrast {
	for _, g := range w.touched {
		w.part[g] = cluster{}
	}
	w.touched = w.touched[:0]
	sum, own := 0.0, 0.0
	for _, i := range at {
		v, g := w.values[i], w.cluster[i]
		sum, own = sum+v, own+w.given[i]
		if w.part[g].n == 0 {
			w.touched = append(w.touched, g)
		}
		w.part[g].sum += v
		w.part[g].n++
	}
	all, n := float64(len(w.values)), float64(len(at))
	rest := all - n
	c := Contrast{N: len(at), Rest: len(w.values) - len(at), P: 1}
	if n == 0 || rest == 0 {
		return c
	}
	mean, other := sum/n, -sum/rest
	// Rounding may not put a mean outside of the values.
	inside, outside := min(max(own/n, w.low), w.high), min(max((w.total-own)/rest, w.low), w.high)
	c.Mean, c.RestMean, c.Diff = w.scale*inside, w.scale*outside, w.scale*(inside-outside)
	if n < 2 || rest < 2 || all < 4 {
		return c
	}
	effect := w.designEffect(n, rest)
	variance := n * rest / (all - 1) * w.squares / all
	skew := n * rest * (rest - n) / ((all - 1) * (all - 2)) * w.cubes / all / math.Pow(variance, 1.5)
	variance, skew = variance*effect, skew*math.Sqrt(effect)
	c.P = twoTails(math.Abs(sum)/math.Sqrt(variance), skew)
	groups := float64(len(w.totals))
	kurtosis := (all*w.fourths/(w.squares*w.squares) - 3) / n * rest / all
	if !w.nested && c.P < roughP && (math.Abs(skew) > roughSkew || kurtosis > roughKurtosis) {
		c.P = max(c.P, w.drawn(len(at), math.Abs(sum)))
	}
	if w.nested {
		z := -zQuantile(c.P / 2)
		c.P = 2 * tSurvival(z, groups-1)
	}
	c.P = min(1, c.P)
	// The interval needs the spread of both sides as they are. That of few values can look
	// too small: it is not taken to be less than if both had the spread of all.
	pooled := variance * (all / (n * rest)) * (all / (n * rest))
	inside, outside, insideFree, outsideFree := w.apart(mean, other, n, rest)
	c.error, c.freedom = math.Sqrt(pooled), groups-1
	if own := inside + outside; own > pooled && insideFree > 0 && outsideFree > 0 {
		c.error, c.freedom = math.Sqrt(own), own*own/(inside*inside/insideFree+outside*outside/outsideFree)
	}
	c.error *= w.scale
	return c
}

// A p-value below roughP of a statistic with a skewness above roughSkew, or about an excess
// kurtosis above roughKurtosis, is checked by drawing up to partDraws parts, until
// enoughHits are as extreme.
const (
	roughSkew     = 0.5
	roughKurtosis = 0.1
	roughP        = 0.1
	partDraws     = 50_000
	enoughHits    = 100
)

// drawn is the share of random parts of n values whose sum is at least as far from 0.
func (w *Whole) drawn(n int, sum float64) float64 {
	if w.order == nil {
		w.order = make([]int32, len(w.values))
	}
	for i := range w.order {
		w.order[i] = int32(i)
	}
	rng := rand.New(rand.NewPCG(1, uint64(n)))
	hits := 0
	for draw := 1; draw <= partDraws; draw++ {
		s := 0.0
		for i := range n {
			k := i + rng.IntN(len(w.order)-i)
			w.order[i], w.order[k] = w.order[k], w.order[i]
			s += w.values[w.order[i]]
		}
		if math.Abs(s) >= sum*(1-1e-9) {
			if hits++; hits == enoughHits {
				return float64(hits) / float64(draw)
			}
		}
	}
	return float64(hits+1) / (partDraws + 1)
}

// designEffect is that of the part whose clusters are set.
func (w *Whole) designEffect(n, rest float64) float64 {
	if w.alike == 0 {
		return 1
	}
	share := n / (n + rest)
	weights := share * share * w.sizes
	for _, g := range w.touched {
		p := w.part[g].n
		weights += p*p - 2*share*p*w.totals[g].n
	}
	return 1 + w.alike*max(0, weights/(n*rest/(n+rest))-1)
}

// apart returns the variances of the means of the part and of the rest, cluster-robust, and
// their degrees of freedom.
func (w *Whole) apart(mean, other, n, rest float64) (inside, outside, insideFree, outsideFree float64) {
	for _, g := range w.totals {
		d := g.sum - g.n*other
		outside += d * d
	}
	groups := float64(len(w.totals))
	for _, g := range w.touched {
		p, all := w.part[g], w.totals[g]
		d := p.sum - p.n*mean
		inside += d * d
		was, now := all.sum-all.n*other, all.sum-p.sum-(all.n-p.n)*other
		outside += now*now - was*was
		if p.n == all.n {
			groups--
		}
	}
	insideFree, outsideFree = float64(len(w.touched))-1, groups-1
	if insideFree > 0 {
		inside *= (insideFree + 1) / insideFree / (n * n)
	}
	if outsideFree > 0 {
		outside = max(0, outside) * (outsideFree + 1) / outsideFree / (rest * rest)
	}
	return inside, outside, insideFree, outsideFree
}

// twoTails is the probability that a Pearson type III variable with mean 0, variance 1 and
// the skewness is at least z from 0.
func twoTails(z, skew float64) float64 {
	skew = math.Abs(skew) // both tails count
	if skew < 1e-3 {
		return 2 * zSurvival(z)
	}
	shape := 4 / (skew * skew)
	p := gammaSurvival(shape+z*math.Sqrt(shape), shape)
	if low := shape - z*math.Sqrt(shape); low > 0 {
		p += gammaCDF(low, shape)
	}
	return p
}

// Interval returns the interval of Diff at a level, within ±widest. It excludes 0 exactly
// if the difference is shown. It is nil if the clusters are too few to have one.
func (c Contrast) Interval(level, widest float64, shown bool) *Interval {
	if !isLevel(level) || c.freedom < 1 || c.error == 0 {
		return nil
	}
	ci := studentInterval(c.Diff, c.error, c.freedom, level)
	if ci == nil {
		return nil
	}
	*ci = ci.Clip(-widest, widest)
	agree(ci, c.Diff, shown)
	return ci
}
