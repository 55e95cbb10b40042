package stats

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"
	"pgregory.net/rapid"

	"github.com/assay-eval/assay/internal/requiretest"
)

// TestBoundIsClopperPearson: for independent hits, the bound of a bounded mean is the exact
// one, within what the approximation of its probability allows.
func TestBoundIsClopperPearson(t *testing.T) {
	t.Parallel()
	for _, n := range []int{1, 2, 5, 20, 100, 1000} {
		for _, x := range []int{0, 1, n / 2, n - 1, n} {
			groups := make([]cluster, n)
			for i := range groups {
				groups[i] = cluster{0, 1}
				if i < x {
					groups[i].sum = 1
				}
			}
			for _, level := range []float64{0.8, 0.95, 0.99} {
				got, want := boundsOf(groups, 0, 1, (1-level)/2, oneSided), ClopperPearson(x, n, level)
				if math.Abs(got.Lo-want.Lo) > 0.01*(want.Lo+1/float64(n)) || math.Abs(got.Hi-want.Hi) > 0.01*(1-want.Hi+1/float64(n)) {
					t.Errorf("%d of %d at %v: %v, want %v", x, n, level, got, want)
				}
			}
		}
	}
}

// TestBoundLaws: a bound of a mean is within the range and on its side of the mean, does not
// depend on the order, moves with the values, and never falls as a value rises.
func TestBoundLaws(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.Float64Range(0, 1), 1, 40).Draw(t, "values")
		alpha := rapid.SampledFrom([]float64{0.001, 0.025, 0.05, 0.3}).Draw(t, "alpha")
		of := func(values []float64, times, shift float64) Interval {
			groups := make([]cluster, len(values))
			for i, v := range values {
				groups[i] = cluster{times*v + shift, 1}
			}
			return boundsOf(groups, shift, times+shift, alpha, oneSided)
		}
		ci, mean := of(values, 1, 0), 0.0
		for _, v := range values {
			mean += v / float64(len(values))
		}
		if !(ci.Lo >= 0 && ci.Lo <= mean+1e-9 && mean <= ci.Hi+1e-9 && ci.Hi <= 1) {
			t.Fatalf("%v: %v around %v", values, ci, mean)
		}
		if got := of(values, 3, -1); math.Abs(got.Lo-3*ci.Lo+1) > 1e-6 || math.Abs(got.Hi-3*ci.Hi+1) > 1e-6 {
			t.Fatalf("%v: %v, and %v when 3x − 1", values, ci, got)
		}
		more := slices.Clone(values)
		more[rapid.IntRange(0, len(more)-1).Draw(t, "at")] = 1
		if got := of(more, 1, 0); got.Lo < ci.Lo-1e-6 || got.Hi < ci.Hi-1e-6 {
			t.Fatalf("%v: %v, and %v for %v", values, ci, got, more)
		}
	})
}

// TestNoneOfThirtyDiffers: that is no proof that nothing ever differs.
func TestNoneOfThirtyDiffers(t *testing.T) {
	t.Parallel()
	for _, values := range [][2]float64{{0, 1}, {0.25, 0.5}} {
		hits, tens := make([]Pair, 30), make([]Pair, 30)
		for i := range hits {
			v := values[i%2]
			hits[i], tens[i] = Pair{Old: v, New: v}, Pair{Old: 10 * v, New: 10 * v}
		}
		c := CompareAll([][]Pair{hits}, 0.95, 1)[0]
		if c.CI == nil || math.Abs(c.CI.Hi-0.1) > 0.001 || math.Abs(c.CI.Lo+c.CI.Hi) > 1e-9 || c.P != 1 {
			t.Errorf("%v: %+v, want an interval of ±0.1", values, c.CI)
		}
		for i := range hits {
			hits[i].Cluster = fmt.Sprint(i / 3)
		}
		if grouped := CompareAll([][]Pair{hits}, 0.95, 1)[0]; grouped.CI.Hi < 0.25 {
			t.Errorf("in ten groups: %v, want what ten cases allow", grouped.CI)
		}
		if c := CompareAll([][]Pair{tens}, 0.95, 1)[0]; c.CI != nil {
			t.Errorf("scores without bounds: %v, want no interval", c.CI)
		}
	}
}

// tables calls f with every probable table of n pairs: up and down are the counts
// of pairs that change, p and q their probabilities.
func tables(n int, p, q float64, f func(up, down int, weight float64)) {
	prob := func(k, n int, p float64) float64 {
		if p <= 0 {
			if k > 0 {
				return 0
			}
			return 1
		}
		return distuv.Binomial{N: float64(n), P: p}.Prob(float64(k))
	}
	for up := 0; up <= n; up++ {
		w := prob(up, n, p)
		for down := 0; down <= n-up && w > 1e-9; down++ {
			if v := w * prob(down, n-up, q/(1-p)); v > 1e-9 {
				f(up, down, v)
			}
		}
	}
}

// hitPairs are n pairs of which some change.
func hitPairs(up, down, n int) []Pair {
	pairs := make([]Pair, n)
	for i := range pairs {
		switch {
		case i < up:
			pairs[i].New = 1
		case i < up+down:
			pairs[i].Old = 1
		}
	}
	return pairs
}

// A hitTable is what the interval and the tests say of one table of hits.
type hitTable struct{ lo, hi, mid, exact float64 }

// hitTables are those of some number of pairs, by the pairs up and down. Each is computed once:
// the probability of a change decides only how much a table weighs.
type hitTables map[[2]int]hitTable

func (all hitTables) of(up, down, n int) hitTable {
	r, ok := all[[2]int{up, down}]
	if !ok {
		d := subtract(hitPairs(up, down, n), 0)
		c := d.describe(0.95)
		d.decide(&c, newFlips(d.groups))
		m, _ := McNemar(up, down, n)
		r = hitTable{c.CI.Lo, c.CI.Hi, c.P, m.P}
		all[[2]int{up, down}] = r
	}
	return r
}

// exactly returns, over all tables of n pairs, the coverage of the interval of hits and the
// shares in which mid-p and the exact p are below 0.05.
func exactly(n int, p, q float64, all hitTables) (coverage, mid, exact float64) {
	tables(n, p, q, func(up, down int, w float64) {
		r := all.of(up, down, n)
		if r.lo <= p-q+1e-12 && p-q <= r.hi+1e-12 {
			coverage += w
		}
		if r.mid < 0.05 {
			mid += w
		}
		if r.exact < 0.05 {
			exact += w
		}
	})
	return coverage, mid, exact
}

// TestHitsCovered counts all tables: the interval holds the true difference in 94 %
// or more; from five changed pairs expected on in no more than 99 %, below that no
// interval that agrees with a test of level 5 % can. The test keeps its level, and
// has at least the power of the exact one.
func TestHitsCovered(t *testing.T) {
	requiretest.Apart(t)
	t.Parallel()
	for _, n := range []int{20, 50, 100} {
		all := hitTables{}
		for _, changed := range []float64{0, 0.01, 0.02, 0.05, 0.1} {
			for _, up := range []float64{0.5, 0.75, 1} {
				p, q := changed*up, changed*(1-up)
				coverage, mid, exact := exactly(n, p, q, all)
				most := 1.0001
				if changed*float64(n) >= 5 {
					most = 0.99
				}
				if coverage < 0.94 || coverage > most {
					t.Errorf("n = %d, %v and %v change: coverage %v", n, p, q, coverage)
				}
				if p == q && mid > 0.055 || mid < exact {
					t.Errorf("n = %d, %v and %v change: mid-p rejects %v, exact p %v", n, p, q, mid, exact)
				}
			}
		}
	}
}

// margin returns whether a gate passes up and down changes of n hits, at a margin.
func marginPasses(n int, margin float64) func(up, down int) bool {
	return func(up, down int) bool {
		r, ok := NonInferior(hitPairs(up, down, n), 1, margin, 0.05, 1)
		if r.Shown != (r.Lower > -margin) || !ok {
			panic(fmt.Sprintf("%d up, %d down of %d: %+v", up, down, n, r))
		}
		return r.Shown
	}
}

// passShare is how often a gate passes if hits change up with probability p and down with q.
// With more changes down it takes more up, so that the least number up is found once.
func passShare(n int, pass func(up, down int) bool, p, q []float64) []float64 {
	least, up := make([]int, 0, n+1), 0
	for down := 0; down <= n; down++ {
		for up+down <= n && !pass(up, down) {
			up++
		}
		if up+down > n {
			break
		}
		least = append(least, up)
	}
	out := make([]float64, len(p))
	for k := range p {
		for down, up := range least {
			w := distuv.Binomial{N: float64(n), P: q[k]}.Prob(float64(down))
			if q[k] == 0 {
				w = float64(1 - min(down, 1))
			}
			out[k] += w * (1 - binomialCDF(up-1, n-down, p[k]/(1-q[k])))
		}
	}
	return out
}

// TestGateOfHitsKeepsItsError counts all tables: a system whose hits are fewer by exactly the
// margin passes in at most 5 % of runs, whatever share of cases flips besides.
func TestGateOfHitsKeepsItsError(t *testing.T) {
	t.Parallel()
	for _, n := range []int{5, 20, 60, 100} {
		for _, margin := range []float64{0.01, 0.02, 0.05, 0.1} {
			flips := []float64{0, 0.01, 0.02, 0.05, 0.1}
			up, down := make([]float64, len(flips)), make([]float64, len(flips))
			for i, f := range flips {
				up[i], down[i] = f/2, f/2+margin
			}
			for i, share := range passShare(n, marginPasses(n, margin), up, down) {
				if share > 0.05 {
					t.Errorf("%d cases, margin %v, %v flip: %.4f pass", n, margin, flips[i], share)
				}
			}
		}
	}
}

// TestIdenticalHitsNeedCases: 5 cases that did not change do not show a margin of 0.02, which
// takes 149; that is, 0.98¹⁴⁹ < 0.05.
func TestIdenticalHitsNeedCases(t *testing.T) {
	t.Parallel()
	for n, shown := range map[int]bool{2: false, 5: false, 147: false, 150: true} {
		r, ok := NonInferior(hitPairs(0, 0, n), 1, 0.02, 0.05, 1)
		if !ok || r.Shown != shown || r.Worse || !shown && (r.Needed < 148 || r.Needed > 152) || (r.Lower > -0.02) != shown ||
			math.Abs(r.Lower+1-math.Pow(0.05, 1/float64(n))) > 0.01 {
			t.Errorf("%d cases: %+v", n, r)
		}
	}
}

// TestDetectedIsShown counts all tables: the difference that cases can detect is larger than
// any that they do not show, and is shown about four times in five when it is the true one.
func TestDetectedIsShown(t *testing.T) {
	t.Parallel()
	for _, n := range []int{20, 41, 60, 150} {
		for _, changes := range [][2]int{{0, 0}, {1, 0}, {1, 1}, {3, 0}, {4, 0}, {4, 2}, {5, 0}, {8, 2}, {8, 5}, {9, 9}} {
			c := compareHits(changes[0], changes[1], n)
			if c.MDE == nil || c.P >= 0.05 && *c.MDE <= math.Abs(c.Diff) || c.P >= 0.05 && c.Diff != 0 && c.Settle <= float64(n) {
				t.Errorf("%v of %d: p %v, difference %v, detects %v, settled by %v", changes, n, c.P, c.Diff, c.MDE, c.Settle)
				continue
			}
			share, power := max(*c.MDE, float64(changes[0]+changes[1])/float64(n)), 0.0
			tables(n, (share+*c.MDE)/2, (share-*c.MDE)/2, func(up, down int, w float64) {
				if m, _ := McNemar(up, down, n); m.MidP < 0.05 && up > down {
					power += w
				}
			})
			if power < 0.75 {
				t.Errorf("%v of %d: a true difference of %v is shown in %v of comparisons", changes, n, *c.MDE, power)
			}
		}
	}
}

// TestDetectedOfManyChanges: hits of which many change one way and the other detect what mid-p shows where as many
// change, by the sum over all outcomes in Python.
func TestDetectedOfManyChanges(t *testing.T) {
	t.Parallel()
	for in, want := range map[[3]int]float64{{6, 6, 20}: 0.45, {11, 1, 20}: 0.45, {4, 4, 12}: 0.5821, {27, 27, 60}: 0.3362, {45, 45, 100}: 0.2621, {5, 1, 7}: 0.8143} {
		if c := compareHits(in[0], in[1], in[2]); c.MDE == nil || math.Abs(*c.MDE-want) > 2e-4 {
			t.Errorf("%v: detects %v, want %v", in, *c.MDE, want)
		}
	}
}

// TestDetectedOfGroups: hits of which groups change as a whole detect what mid-p shows, which asks for five that change: the
// share of groups of which that many or more change in four samples of five, by the binomial distribution in
// Python. A change of 0.05 in groups of 5 takes 135 of them.
func TestDetectedOfGroups(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		groups, size, alone, changed int
		want, settle                 float64
	}{
		{20, 5, 0, 0, 0.3133, 0}, {20, 5, 0, 1, 0.3133, 675}, {40, 3, 0, 1, 0.1623, 807}, {30, 2, 0, 1, 0.2139, 404}, {10, 6, 0, 1, 0.5809, 402},
		{2, 2, 96, 1, 0.0663, 672}, {0, 0, 100, 1, 0.0663, 672},
	} {
		var pairs []Pair
		for g := range tt.groups + tt.alone {
			p, size := Pair{Old: 1, New: 1}, 1
			if g >= tt.alone {
				p.Cluster, size = fmt.Sprint(g), tt.size
			}
			if g < tt.changed {
				p.New = 0
			}
			pairs = append(pairs, slices.Repeat([]Pair{p}, size)...)
		}
		c := CompareAll([][]Pair{pairs}, 0.95, 1)[0]
		if c.MDE == nil || math.Abs(*c.MDE-tt.want) > 2e-4 || math.Abs(c.Settle-tt.settle) > 6 {
			t.Errorf("%+v: detects %v, settled by %v", tt, *c.MDE, c.Settle)
		}
	}
}

// TestFewThatDifferHold draws comparisons of 60 reciprocal ranks of which few change, some rarely by much. The interval errs
// in at most 5 % of them, and where one changes a little it is about that of two equal runs.
func TestFewThatDifferHold(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 2))
	list := make([][]Pair, 300)
	for i := range list {
		for range 60 {
			p := Pair{Old: 1, New: 1, Width: 1}
			switch u := rng.Float64(); {
			case u < 0.05:
				p.Old, p.New = 1./3, 0.5
			case u < 0.1:
				p.New = 0.5
			}
			list[i] = append(list[i], p)
		}
	}
	missed := 0
	for _, c := range CompareAll(list, 0.95, 1) {
		if c.CI == nil || !c.CI.Contains(0.05/6-0.05/2) {
			missed++
		}
	}
	same := slices.Repeat([]Pair{{Old: 0.5, New: 0.5, Width: 1}}, 120)
	one := slices.Clone(same)
	one[0].Old = 1. / 3
	c := CompareAll([][]Pair{same, one}, 0.95, 1)
	if missed > 20 || math.Abs(c[0].CI.Lo-c[1].CI.Lo) > 0.003 || math.Abs(c[0].CI.Hi-c[1].CI.Hi) > 0.003 {
		t.Errorf("%d of 300 missed; equal runs have %v, and with one that differs %v", missed, c[0].CI, c[1].CI)
	}
}

func compareHits(up, down, n int) Comparison {
	return CompareAll([][]Pair{hitPairs(up, down, n)}, 0.95, 1)[0]
}

// boundsOf are the bounds of independent items.
func boundsOf(items []cluster, lo, hi, alpha, unseen float64) Interval {
	bags := make([]bag, len(items))
	for i, it := range items {
		bags[i] = bag{it.sum, it.n, 1}
	}
	return boundsWithin(bags, items, lo, hi, alpha, unseen)
}

// TestBoundsHoldNearTheEnds: one odd value among equal ones that nearly are at an end gives
// finite bounds on both sides of the mean.
func TestBoundsHoldNearTheEnds(t *testing.T) {
	requiretest.Apart(t)
	t.Parallel()
	for _, n := range []int{1, 2, 5, 30, 100} {
		for _, x := range []float64{0, 1e-300, 1e-16, 1e-9, 1e-4, .01, .5, .99, .9999, 1 - 1e-9, math.Nextafter(1, 0), 1} {
			for _, odd := range []float64{x, 0, .5, 1} {
				values := make([]Sample, n)
				for i := range values {
					values[i] = Sample{Value: x}
				}
				values[0].Value = odd
				e := MeanWithin(values, Interval{0, 1}, 0.95)
				if e.CI == nil || !(e.CI.Lo >= 0 && e.CI.Lo <= e.Mean+1e-12 && e.CI.Hi >= e.Mean-1e-12 && e.CI.Hi <= 1) {
					t.Errorf("%d values of %v and one of %v: mean %v, %+v", n, x, odd, e.Mean, e.CI)
				}
				pairs := make([]Pair, n)
				for i, v := range values {
					pairs[i] = Pair{New: v.Value}
				}
				if r, ok := NonInferior(pairs, 1, 1e-9, 0.05, 1); ok && (math.IsNaN(r.P) || math.IsNaN(r.Lower) || r.Lower < -1-1e-9 || r.Upper > 1+1e-9) {
					t.Errorf("%d differences of %v and one of %v: %+v", n, x, odd, r)
				}
			}
		}
	}
}

// TestClustersCovered: an interval of a bounded mean holds it if values share clusters, also
// clusters of different sizes, of which one may have half of the values.
func TestClustersCovered(t *testing.T) {
	t.Parallel()
	const trials = 400
	for name, sizes := range map[string][]int{
		"equal":    {3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3},
		"one half": {20, 5, 4, 3, 2, 2, 1, 1, 1, 1, 1},
		"mixed":    {8, 6, 5, 4, 3, 3, 2, 2, 2, 1, 1, 1, 1, 1, 1},
	} {
		for _, shared := range []float64{0, 0.3, 0.7} {
			for _, hits := range []float64{0.5, 0.8, 0.95} {
				rng, held, width := rand.New(rand.NewPCG(1, 2)), 0, 0.0
				draw := func() float64 {
					if rng.Float64() < hits {
						return 1
					}
					return 0
				}
				for range trials {
					var samples []Sample
					for c, n := range sizes {
						common := draw()
						for range n {
							v := draw()
							if rng.Float64() < math.Sqrt(shared) {
								v = common
							}
							samples = append(samples, Sample{v, fmt.Sprint(c)})
						}
					}
					e := MeanWithin(samples, Interval{0, 1}, 0.95)
					width += e.CI.Hi - e.CI.Lo
					if e.CI.Contains(hits) {
						held++
					}
				}
				if held < trials*90/100 || width > 0.85*trials {
					t.Errorf("%s, correlation %v, %v hits: held in %d of %d, mean width %.2f", name, shared, hits, held, trials, width/trials)
				}
			}
		}
	}
}
