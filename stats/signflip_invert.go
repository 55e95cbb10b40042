package stats

import (
	"math"
	"math/rand/v2"
)

// A sign pattern keeps some clusters and flips the others. After all differences
// are shifted by δ, its sum is at least as extreme as the observed one, towards a
// smaller mean, exactly if δ is at least the mean of the flipped differences:
//
//	s − δt ≥ T − nδ  ⇔  T − s ≤ δ(n − t)
//
// where (T − s)/2 is the sum of the flipped differences and (n − t)/2 their
// number. So each pattern has one shift at which it starts or stops counting, and
// an end of the interval is the h-th of these shifts in order, where h is the
// number of patterns that a p-value of alpha needs: no search is necessary.
// Source: Hartigan, JASA 1969 ("typical values").

// interval returns the shifts that the two-sided test does not reject at alpha;
// ok is false if it rejects none on one side.
func (f *flips) interval(alpha float64) (ci Interval, ok bool) {
	up, down := make([]float64, len(f.sum)), make([]float64, len(f.sum))
	for b := range f.sum {
		kept, flipped, ok := f.means(b)
		if !ok {
			up[b], down[b] = math.Inf(1), math.Inf(-1)
			continue
		}
		up[b], down[b] = max(kept, flipped), min(kept, flipped)
	}
	return ends(down, up, f.needed(alpha))
}

// bounds returns one-sided bounds of the mean difference, each at level 1 −
// alpha; ok is false if one side has none.
func (f *flips) bounds(alpha float64) (ci Interval, ok bool) {
	up, down := make([]float64, len(f.sum)), make([]float64, len(f.sum))
	for b, s := range f.sum {
		if f.size[b] == f.n {
			up[b], down[b] = math.Inf(1), math.Inf(-1)
			continue
		}
		up[b] = (f.total - s) / (f.n - f.size[b])
		down[b] = up[b]
	}
	return ends(down, up, f.needed(alpha))
}

// means returns the means of the differences that the pattern keeps and of those
// that it flips; ok is false if it keeps or flips all.
func (f *flips) means(b int) (kept, flipped float64, ok bool) {
	s, t := f.sum[b], f.size[b]
	if t == f.n || t == -f.n {
		return 0, 0, false
	}
	return (f.total + s) / (f.n + t), (f.total - s) / (f.n - t), true
}

// ends returns the h-th smallest of down and the h-th largest of up, and reorders
// both; ok is false if one of them is not finite or h is 0.
func ends(down, up []float64, h int) (ci Interval, ok bool) {
	if h < 1 || h > len(up) {
		return ci, false
	}
	ci = Interval{nth(down, h-1), nth(up, len(up)-h)}
	return ci, !math.IsInf(ci.Lo, 0) && !math.IsInf(ci.Hi, 0)
}

// nth returns the element at index k of the sorted v. It reorders v. Source:
// Hoare, Algorithm 65, 1961.
func nth(v []float64, k int) float64 {
	// A pivot at a fixed index would be bad for values in a regular order, such
	// as those of enumerated signs.
	rng := rand.New(rand.NewPCG(1, uint64(len(v))))
	for lo, hi := 0, len(v)-1; lo < hi; {
		pivot := v[lo+rng.IntN(hi-lo+1)]
		i, j := lo, hi
		for i <= j {
			for v[i] < pivot {
				i++
			}
			for v[j] > pivot {
				j--
			}
			if i <= j {
				v[i], v[j] = v[j], v[i]
				i++
				j--
			}
		}
		switch {
		case k <= j:
			hi = j
		case k >= i:
			lo = i
		default:
			return v[k]
		}
	}
	return v[k]
}

// agree adjusts the ends of the interval so that it contains the difference and
// agrees with the test about 0. They can disagree for two reasons: rounding of a
// shift that is 0 or the mean; and Monte Carlo error if at most 20 clusters
// differ from 0, so that the test is exact, but more differ from the shifts, so
// that the interval is sampled.
func agree(ci *Interval, diff float64, significant bool) {
	ci.Lo, ci.Hi = min(ci.Lo, diff), max(ci.Hi, diff)
	near := &ci.Lo
	if diff < 0 {
		near = &ci.Hi
	}
	switch {
	case significant && ci.Contains(0):
		*near = math.Copysign(math.SmallestNonzeroFloat64, diff)
	case !significant && !ci.Contains(0):
		*near = 0
	}
}
