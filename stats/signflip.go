package stats

import (
	"math"
	"slices"
)

const (
	// exactClusters is the largest number of clusters whose sign patterns are
	// enumerated: 2^20 sums take a few milliseconds.
	exactClusters = 20
	// draws is the number of random sign patterns beyond that. At p = 0.05 the
	// Monte Carlo standard error is 0.0007.
	draws = 100_000
	// batch is the maximum number of metrics whose sums are held at once, 0.8 MB
	// each.
	batch = 16
)

// flips holds, for every sign pattern, the signed sums of the clusters'
// differences and of their sizes, so that any shift can be tested: shifting all
// differences by δ turns a pattern's sum s into s − δt.
type flips struct {
	sum, size []float64
	total, n  float64
	// scale is the sum of the absolute sums, which determines the tolerance for
	// rounding.
	scale float64
	exact bool
}

func newFlips(groups []cluster) *flips {
	f := &flips{}
	for _, g := range groups {
		f.total += g.sum
		f.n += g.n
		f.scale += math.Abs(g.sum)
	}
	return f
}

// eachFlips passes on the sign patterns of each of the differences: all patterns,
// or a sample. Differences with clusters of the same sizes share their patterns,
// which changes no result, because patterns depend only on the seed and on the
// index of a cluster.
func eachFlips(all []differences, seed uint64, use func(i int, f *flips)) {
	var left []int
	for i, d := range all {
		if len(d.groups) <= exactClusters {
			use(i, enumerate(d.groups))
		} else {
			left = append(left, i)
		}
	}
	for len(left) > 0 {
		first := all[left[0]].groups
		var now, later []int
		var metrics [][]cluster
		for _, i := range left {
			if len(now) < batch && slices.EqualFunc(first, all[i].groups, func(a, b cluster) bool { return a.n == b.n }) {
				now, metrics = append(now, i), append(metrics, all[i].groups)
			} else {
				later = append(later, i)
			}
		}
		for k, f := range draw(metrics, seed) {
			use(now[k], f)
		}
		left = later
	}
}

// enumerate lists every pattern of up to exactClusters clusters as combinations
// of a pattern of the first half and one of the second half.
func enumerate(groups []cluster) *flips {
	f := newFlips(groups)
	f.exact = true
	f.sum = signedSums(groups, func(g cluster) float64 { return g.sum })
	f.size = signedSums(groups, func(g cluster) float64 { return g.n })
	return f
}

func signedSums(groups []cluster, of func(cluster) float64) []float64 {
	terms := make([]float64, len(groups))
	for i, g := range groups {
		terms[i] = of(g)
	}
	half := len(terms) / 2
	low, high := make([]float64, 1<<half), make([]float64, 1<<(len(terms)-half))
	fill(low, terms[:half])
	fill(high, terms[half:])
	out := make([]float64, 0, len(low)*len(high))
	for _, h := range high {
		for _, l := range low {
			out = append(out, h+l)
		}
	}
	return out
}

// fill sets table[b], for all 2^len(terms) patterns b, to the sum of the terms,
// where the i-th term is positive if bit i of b is set and negative if not.
// table[^b] equals −table[b] exactly, which makes the test symmetric.
func fill(table, terms []float64) {
	table[0] = 0
	size := 1
	for _, v := range terms {
		for b, s := range table[:size] {
			table[size+b] = s + v
			table[b] = s - v
		}
		size *= 2
	}
}

// share converts a number of hits among the patterns into a p-value. The observed
// signs are one of the patterns that could have been drawn.
func (f *flips) share(hits int) float64 {
	if f.exact {
		return float64(hits) / float64(len(f.sum))
	}
	return float64(1+hits) / float64(1+len(f.sum))
}

// needed is the smallest number of hits whose share is not below alpha.
func (f *flips) needed(alpha float64) int {
	// Start one lower, because the product is rounded.
	h := max(0, int(alpha*float64(len(f.sum)))-1)
	for f.share(h) < alpha {
		h++
	}
	return h
}

// leeway is how much sums of the same terms in another order can differ.
func leeway(scale float64) float64 { return 1e-12 * scale }

// twoSided returns the p-value of the hypothesis that the mean difference is 0.
func (f *flips) twoSided() float64 {
	bar := math.Abs(f.total) - leeway(f.scale)
	hits := 0
	for _, s := range f.sum {
		if math.Abs(s) >= bar {
			hits++
		}
	}
	return f.share(hits)
}

// midP is twoSided with half of the probability of the patterns that are exactly
// as extreme as the observed one, which is one of them. It is 1 if the observed
// sum is 0.
func (f *flips) midP() float64 {
	total, slack := math.Abs(f.total), leeway(f.scale)
	if total <= slack {
		return 1
	}
	over, ties := 0, 0
	for _, s := range f.sum {
		switch s = math.Abs(s); {
		case s > total+slack:
			over++
		case s >= total-slack:
			ties++
		}
	}
	return f.midShare(over, ties)
}

// midShare is share with half of the ties.
func (f *flips) midShare(over, ties int) float64 {
	hits := float64(over) + float64(ties)/2
	if f.exact {
		return hits / float64(len(f.sum))
	}
	return (0.5 + hits) / float64(1+len(f.sum))
}

// oneSided returns the p-values of the hypotheses that the mean difference is at
// most shift, and at least shift.
func (f *flips) oneSided(shift float64) (less, more float64) {
	seen := f.total - shift*f.n
	slack := leeway(f.scale + math.Abs(shift)*f.n)
	high, low := 0, 0
	for b, s := range f.sum {
		s -= shift * f.size[b]
		if s >= seen-slack {
			high++
		}
		if s <= seen+slack {
			low++
		}
	}
	return f.share(high), f.share(low)
}
