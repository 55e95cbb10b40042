package stats

import (
	"math"
	"math/rand/v2"
)

// A sign pattern keeps some clusters and flips the others. Shifting all
// differences by δ, its sum is as far out as the observed one towards a smaller
// mean exactly when δ is at least the mean of the flipped ones:
//
//	s − δt ≥ T − nδ  ⇔  T − s ≤ δ(n − t)
//
// where (T − s)/2 is the sum of the flipped differences and (n − t)/2 their
// number. So each pattern has one shift at which it begins or ceases to count,
// and the end of an interval is the h-th of these shifts by size, where h is the
// number of patterns that a p-value of alpha needs: no search is necessary.
// Source: Hartigan, JASA 1969 ("typical values").

// interval gives the shifts that the two-sided test does not reject at alpha; ok
// is false when it rejects none on one side.
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

// bounds gives one-sided bounds of the mean difference, each at the level
// 1 − alpha; ok is false when there is none on one side.
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

// means gives the mean of the differences that the pattern keeps, and of those
// that it flips; ok is false when it keeps all or flips all.
func (f *flips) means(b int) (kept, flipped float64, ok bool) {
	s, t := f.sum[b], f.size[b]
	if t == f.n || t == -f.n {
		return 0, 0, false
	}
	return (f.total + s) / (f.n + t), (f.total - s) / (f.n - t), true
}

// ends gives the h-th smallest of down and the h-th largest of up, which it
// reorders; ok is false when one of them is not finite or h is 0.
func ends(down, up []float64, h int) (ci Interval, ok bool) {
	if h < 1 || h > len(up) {
		return ci, false
	}
	ci = Interval{nth(down, h-1), nth(up, len(up)-h)}
	return ci, !math.IsInf(ci.Lo, 0) && !math.IsInf(ci.Hi, 0)
}

// nth gives the element that would be at place k if v were sorted. It reorders
// v. Source: Hoare, Algorithm 65, 1961.
func nth(v []float64, k int) float64 {
	// A pivot at a fixed place would be a bad one for values that are listed in a
	// pattern, as those of enumerated signs are.
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

// agree moves the ends of the interval so that it holds the difference and says
// of 0 what the test says. The two can differ in two ways only: by the rounding
// of a shift that is 0 or the mean itself; and by Monte-Carlo error when at most
// 20 clusters differ, so that the test is exact, but more do not, which the
// interval has to draw.
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
