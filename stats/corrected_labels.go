package stats

import (
	"math"
	"slices"
)

const (
	// mostStrata limits the number of strata.
	mostStrata = 4
	// leastStratum is the smallest share of the items that is a stratum, and leastItems the smallest number.
	leastStratum = 0.05
	leastItems   = 10
	// firstLabels of a stratum are drawn before any other.
	firstLabels = 5
	// even is the part of the labels that is spread like the items, whatever the spreads are: a stratum whose few labels
	// happen to agree is labelled further.
	even = 0.5
	// borrowed is how many labels the spread over all strata counts for in the spread of one.
	borrowed = 10
)

// Strata divides items by the judge's score into at most four strata, numbered from 0 from the lowest score: each score
// of its own if there are as few, else quarters. Equal scores are in the same stratum. A stratum of fewer than 5 % of
// the items, or of fewer than 10, joins its neighbour. The same scores give the same strata, in any order.
func Strata(scores []float64) []int {
	n := len(scores)
	sorted := slices.Sorted(slices.Values(scores))
	distinct := slices.Compact(slices.Clone(sorted))
	var bounds []float64 // the lowest score of each stratum but the first
	if len(distinct) <= mostStrata {
		bounds = distinct[min(1, len(distinct)):]
	} else {
		for k := 1; k < mostStrata; k++ {
			if b := sorted[k*n/mostStrata]; b > sorted[0] && !slices.Contains(bounds, b) {
				bounds = append(bounds, b)
			}
		}
	}
	least := max(leastItems, int(math.Ceil(leastStratum*float64(n))))
	for {
		sizes := make([]int, len(bounds)+1)
		for _, s := range scores {
			sizes[stratumOf(s, bounds)]++
		}
		small := slices.IndexFunc(sizes, func(size int) bool { return size < least })
		if small < 0 || len(bounds) == 0 {
			break
		}
		// The smaller neighbour takes it.
		at := small
		if small == len(sizes)-1 || small > 0 && sizes[small-1] <= sizes[small+1] {
			at = small - 1
		}
		bounds = slices.Delete(bounds, at, at+1)
	}
	out := make([]int, n)
	for i, s := range scores {
		out[i] = stratumOf(s, bounds)
	}
	return out
}

func stratumOf(score float64, bounds []float64) int {
	k := 0
	for k < len(bounds) && score >= bounds[k] {
		k++
	}
	return k
}

// Allocate returns how many of n further labels each stratum should get, so that the variance of [Correct] falls most:
// one after the other, each where W²·S²·(1/n − 1/(n+1)) is largest, after the first five of each stratum, and no
// stratum gets less than half of its share of the items. S² is the variance of label − λ·score, to which that over all
// strata counts like ten labels. That comes to the allocation of Neyman, n ∝ W·S, kept from following chance; without
// labels, to the shares of the items. Sources: Neyman, J. Royal Stat. Soc. 97 (1934); Wright,
// The American Statistician 66 (2012), for the order one after the other.
func Allocate(strata []Stratum, n int) []int {
	out := make([]int, len(strata))
	total := 0.0
	for _, s := range strata {
		total += float64(s.Items)
	}
	spread := spreads(strata)
	given := 0
	for _, s := range strata {
		given += s.Labels
	}
	for range n {
		best, most := -1, 0.0
		for k, s := range strata {
			have := float64(s.Labels + out[k])
			if have >= float64(s.Items) {
				continue
			}
			w := float64(s.Items) / total
			gain := w * w * spread[k] / max(have*(have+1), 1e-9)
			// What a stratum is owed comes first, and the first labels before that.
			if have < even*w*float64(given+1) {
				gain = math.MaxFloat64 / 4 * w
			}
			if have < firstLabels {
				gain = math.MaxFloat64 / (2 + have)
			}
			if best < 0 || gain > most {
				best, most = k, gain
			}
		}
		if best < 0 {
			break
		}
		out[best]++
		given++
	}
	return out
}

// spreads returns the variances by which labels are allocated.
func spreads(strata []Stratum) []float64 {
	pooled, n := 0.0, 0.0
	for _, s := range strata {
		pooled += float64(s.Labels) * s.SD * s.SD
		n += float64(s.Labels)
	}
	out := make([]float64, len(strata))
	for k, s := range strata {
		out[k] = 1
		if pooled > 0 {
			l := float64(s.Labels)
			out[k] = (l*s.SD*s.SD + borrowed*pooled/n) / (l + borrowed)
		}
	}
	return out
}

// Narrowed returns the half-width that the interval of c would have with n further labels, drawn as [Allocate] says, if
// they were like those that there are. It is rough with few labels.
func Narrowed(c Corrected, n int) float64 {
	next := slices.Clone(c.Strata)
	for k, add := range Allocate(c.Strata, n) {
		next[k].Labels += add
	}
	if c.of.possible != nil {
		return c.of.within(c.Mean, c.Lambda, next).Half()
	}
	// What does not come from the choice of the labelled items stays; clusters scale what does.
	before, after := fromLabels(c.Strata, c.Items), fromLabels(next, c.Items)
	rest := max(c.SE*c.SE-before, 0)
	return math.Sqrt(rest+after) * TQuantile((1+c.of.level)/2, c.DF+float64(n))
}

// fromLabels is the part of the variance that labels of all items would remove.
func fromLabels(strata []Stratum, items int) (v float64) {
	spread := spreads(strata)
	for k, s := range strata {
		if s.Labels == 0 {
			continue
		}
		w := float64(s.Items) / float64(items)
		v += w * w * spread[k] * (1/float64(s.Labels) - 1/float64(s.Items))
	}
	return v
}

// MoreLabels returns how many further labels narrow the interval of c to a share of its width. ok is false if labels of
// all items would not do.
func MoreLabels(c Corrected, share float64) (n int, ok bool) {
	now := c.CI.Half()
	lo, hi := 0, 0
	for _, s := range c.Strata {
		hi += s.Items - s.Labels
	}
	if !(now > 0) || !(share > 0 && share < 1) || Narrowed(c, hi) > share*now {
		return 0, false
	}
	for lo+1 < hi {
		if mid := (lo + hi) / 2; Narrowed(c, mid) <= share*now {
			hi = mid
		} else {
			lo = mid
		}
	}
	return hi, true
}
