package stats

import (
	"cmp"
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
)

// A Comparison is of two systems on the same cases: new minus old.
type Comparison struct {
	// N counts the pairs, Dropped the cases in which one side has no value.
	N       int `json:"n"`
	Dropped int `json:"dropped"`
	// Old and New are the means over the pairs.
	Old float64 `json:"old"`
	New float64 `json:"new"`
	// Diff is New − Old; CI is its interval at Level, nil below two pairs.
	Diff  float64   `json:"diff"`
	CI    *Interval `json:"ci"`
	Level float64   `json:"level"`
	// P is the two-sided p-value of the sign-flip test, and PAdjusted the same
	// corrected for the family of comparisons that it belongs to (Holm).
	P         float64 `json:"p"`
	PAdjusted float64 `json:"p_adjusted"`
	// Wins, Ties and Losses count pairs in which New is above, equal to and
	// below Old.
	Wins   int `json:"wins"`
	Ties   int `json:"ties"`
	Losses int `json:"losses"`
	// SignP is the p-value of the sign test on wins and losses: shown beside P,
	// never in its place. Disagree is set when most cases move one way and the
	// mean moves the other.
	SignP    float64 `json:"sign_p"`
	Disagree bool    `json:"mean_and_sign_disagree,omitempty"`
	// SD is the standard deviation of the differences, DZ is Diff in units of
	// it; nil when all differences are equal.
	SD float64  `json:"sd"`
	DZ *float64 `json:"dz"`
	// TCI is the interval of Student's t on the cluster-robust standard error,
	// printed beside CI; nil below two clusters.
	TCI *Interval `json:"t_ci"`
	// MDE is the smallest true difference that so many cases with such
	// differences show with a probability of 80 %, at Level; nil when SD is 0.
	MDE      *float64 `json:"mde"`
	Warnings []string `json:"warnings,omitempty"`
}

// A Pair is one case's values under two systems.
type Pair struct {
	Old, New float64
	// Cluster is "" for a case that is independent of all others.
	Cluster string
}

const (
	// invertClusters is the most clusters for which the interval is found by
	// inverting the test; its time grows with them, its gain shrinks.
	invertClusters = 200
	// exactClusters is the most clusters whose sign patterns are enumerated:
	// 2^20 sums take a few milliseconds.
	exactClusters = 20
	// draws is the number of random sign patterns beyond that. At p = 0.05 the
	// Monte-Carlo standard error is 0.0007.
	draws = 100_000
	// tie is the distance within which two differences count as equal, so
	// that rounding does not make a win.
	tie = 1e-12
	// informative is the number of non-zero differences below which the test
	// has little power and its level is uncertain when losses are rare
	// (metrics.md §4.1, simulation).
	informative = 50
)

// Compare tests whether the mean difference of the pairs is zero by a paired
// sign-flip test (Fisher's randomisation test), which flips whole clusters. Up
// to 20 clusters that differ the test is exact; beyond, 100,000 patterns are
// drawn from a generator seeded by seed, and p = (1+hits)/(1+draws). The
// interval holds the shifts that the same test would not reject; above 200
// clusters it is that of Student's t on the cluster-robust standard error,
// which by then is the same. The interval leaves out 0 exactly when P is below
// 1 − level. Source: Smucker, Allan and Carterette, CIKM 2007.
func Compare(pairs []Pair, level float64, seed uint64) Comparison {
	c := Comparison{N: len(pairs), Level: level, P: 1, PAdjusted: 1}
	if c.N == 0 {
		return c
	}
	diffs := make([]Sample, len(pairs))
	for i, p := range pairs {
		d := p.New - p.Old
		diffs[i] = Sample{d, p.Cluster}
		c.Old += p.Old
		c.New += p.New
		switch {
		case d > tie:
			c.Wins++
		case d < -tie:
			c.Losses++
		default:
			c.Ties++
		}
	}
	n := float64(c.N)
	c.Old, c.New = c.Old/n, c.New/n
	c.Diff = c.New - c.Old
	groups := clusters(diffs)
	var differing []cluster
	for _, g := range groups {
		if math.Abs(g.sum) > tie {
			differing = append(differing, g)
		}
	}
	c.P = newFlips(differing, seed).p(0)
	c.PAdjusted = c.P
	c.CI = interval(diffs, groups, c.Diff, level, seed)
	if c.CI != nil {
		agree(c.CI, c.Diff, c.P < 1-level)
	}
	switch m := len(differing); {
	case m > 0 && math.Ldexp(2, -m) > 1-level:
		c.Warnings = append(c.Warnings, fmt.Sprintf("cannot be significant: only %s", differ(m)))
	case m < informative:
		c.Warnings = append(c.Warnings, fmt.Sprintf("only %s: small effects cannot be shown", differ(m)))
	}
	return c
}

// CompareAll compares several metrics over the same cases at once: the i-th
// comparison is that of [Compare] on the i-th pairs. Metrics with the same
// clusters share their sign patterns, which costs far less than drawing them for
// each.
func CompareAll(metrics [][]Pair, level float64, seed uint64) []Comparison {
	out := make([]Comparison, len(metrics))
	for i, pairs := range metrics {
		out[i] = Compare(pairs, level, seed)
	}
	return out
}

func differ(n int) string {
	if n == 1 {
		return "1 case differs"
	}
	return cases(n) + " differ"
}

func interval(diffs []Sample, groups []cluster, mean, level float64, seed uint64) *Interval {
	if len(groups) < 2 {
		return nil
	}
	if len(groups) > invertClusters {
		se, df := standardError(diffs, mean)
		h := se * tQuantile((1+level)/2, df)
		return &Interval{mean - h, mean + h}
	}
	lo, hi := diffs[0].Value, diffs[0].Value
	for _, d := range diffs {
		lo, hi = min(lo, d.Value), max(hi, d.Value)
	}
	f := newFlips(groups, seed)
	end := func(sign float64) float64 {
		near, far := 0.0, hi-lo+1e-9
		// 40 halvings place the end to 1e-12 of the range of the differences.
		for range 40 {
			mid := (near + far) / 2
			if f.p(mean+sign*mid) > 1-level {
				near = mid
			} else {
				far = mid
			}
		}
		return mean + sign*(near+far)/2
	}
	return &Interval{end(-1), end(1)}
}

// agree moves the end of the interval that is nearer to 0 so that it says what
// the test says; the two can differ by Monte-Carlo error only.
func agree(ci *Interval, diff float64, significant bool) {
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

// SignFlip gives the two-sided p-value of the hypothesis that the signs of the
// differences are random: the share of sign patterns whose sum is at least as
// far from zero as the observed one. No differences give 1; zeros change
// nothing but the time it takes.
func SignFlip(diffs []float64, seed uint64) float64 {
	groups := make([]cluster, len(diffs))
	for i, d := range diffs {
		groups[i] = cluster{d, 1}
	}
	return newFlips(groups, seed).p(0)
}

// flips holds, for every sign pattern looked at, the signed sums of the
// clusters' differences and of their sizes, so that the test can be asked about
// any shift: shifting all differences by δ turns a pattern's sum s into s − δt.
type flips struct {
	sum, size []float64
	total, n  float64
	scale     float64
	exact     bool
}

func newFlips(groups []cluster, seed uint64) *flips {
	f := &flips{exact: len(groups) <= exactClusters}
	for _, g := range groups {
		f.total += g.sum
		f.n += g.n
		f.scale += math.Abs(g.sum)
	}
	if f.exact {
		f.enumerate(groups)
	} else {
		f.draw(groups, seed)
	}
	return f
}

// p gives the two-sided p-value of the hypothesis that the mean difference is
// shift.
func (f *flips) p(shift float64) float64 {
	// Sums of the same terms in another order differ by rounding only.
	bar := math.Abs(f.total-f.n*shift) - 1e-12*max(1, f.scale)
	hits := 0
	for i, s := range f.sum {
		if math.Abs(s-shift*f.size[i]) >= bar {
			hits++
		}
	}
	if f.exact {
		return float64(hits) / float64(len(f.sum))
	}
	return float64(1+hits) / float64(1+len(f.sum))
}

// enumerate lists every pattern in Gray-code order, so that each step flips
// one sign.
func (f *flips) enumerate(groups []cluster) {
	total := 1 << len(groups)
	f.sum, f.size = make([]float64, total), make([]float64, total)
	sum, size := f.total, f.n
	flipped := make([]bool, len(groups))
	for i := range total {
		if i > 0 {
			bit := bits.TrailingZeros(uint(i))
			g := groups[bit]
			if flipped[bit] {
				g.sum, g.n = -g.sum, -g.n
			}
			sum -= 2 * g.sum
			size -= 2 * g.n
			flipped[bit] = !flipped[bit]
		}
		f.sum[i], f.size[i] = sum, size
	}
}

func (f *flips) draw(groups []cluster, seed uint64) {
	f.sum, f.size = make([]float64, draws), make([]float64, draws)
	rng := rand.New(rand.NewPCG(seed, 0))
	for i := range draws {
		var sum, size float64
		var word uint64
		for j, g := range groups {
			if j%64 == 0 {
				word = rng.Uint64()
			}
			// Bit 1 keeps the sign, bit 0 flips it, without a branch that no
			// processor could foresee.
			sign := float64(int64(word&1)<<1 - 1)
			sum += sign * g.sum
			size += sign * g.n
			word >>= 1
		}
		f.sum[i], f.size[i] = sum, size
	}
}

// Holm adjusts a family of p-values so that the chance of any false alarm
// stays at the level of each. The order is kept. Source: Holm, 1979.
func Holm(p []float64) []float64 {
	order := make([]int, len(p))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(p[a], p[b]) })
	out := make([]float64, len(p))
	worst := 0.0
	for rank, i := range order {
		worst = max(worst, min(1, p[i]*float64(len(p)-rank)))
		out[i] = worst
	}
	return out
}
