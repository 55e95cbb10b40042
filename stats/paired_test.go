package stats_test

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/assay-eval/assay/stats"
)

// TestComparisonOfFour has differences 0.1, 0.3, 0 and −0.2: mean 0.05, squares
// about it 0.0025 + 0.0625 + 0.0025 + 0.0625 = 0.13, variance 0.13/3, SD
// 0.208167, standard error 0.104083, t(0.975; 3) = 3.182446. z(0.975) + z(0.8) =
// 1.959964 + 0.841621. 2 of 3 won: sign test 2·(1+3)/8, at most 1.
func TestComparisonOfFour(t *testing.T) {
	t.Parallel()
	c := compare([]stats.Pair{{Old: 0.2, New: 0.3}, {Old: 0.2, New: 0.5}, {Old: 0.7, New: 0.7}, {Old: 0.5, New: 0.3}}, 0.95, 1)
	near(t, "old", c.Old, 0.4, 1e-12)
	near(t, "new", c.New, 0.45, 1e-12)
	near(t, "diff", c.Diff, 0.05, 1e-12)
	near(t, "sd", c.SD, 0.208167, 1e-6)
	near(t, "dz", *c.DZ, 0.05/0.208167, 1e-5)
	near(t, "t lo", c.TCI.Lo, 0.05-3.182446*0.104083, 1e-5)
	near(t, "t hi", c.TCI.Hi, 0.05+3.182446*0.104083, 1e-5)
	near(t, "sign p", c.SignP, 1, 0)
	// |±0.1 ± 0.3 ± 0.2| is 0.6, 0.2, 0, 0.4, each twice of 8: 0.2 or more in 6.
	near(t, "p", c.P, 0.75, 1e-12)
	if c.Wins != 2 || c.Ties != 1 || c.Losses != 1 || c.Disagree {
		t.Errorf("got %+v, want 2 wins, a tie and a loss", c)
	}
	if c.CI != nil || c.MDE != nil {
		t.Errorf("interval %v: 4 clusters reject nothing at 0.95 and have none", c.CI)
	}
}

// TestComparisonWithClusters: the t interval rests on the cluster-robust standard error, 0.0813429 here, where
// 0.0478714 would ignore the clusters.
func TestComparisonWithClusters(t *testing.T) {
	t.Parallel()
	c := worked(t, "cluster_se")
	want := c.Expected.(map[string]any)
	got := compare(pairs(floats(c.Input["d"]), c.Input["cluster"]), 0.95, 1)
	ci := floats(want["ci95"])
	near(t, "lo", got.TCI.Lo, ci[0], 1e-6)
	near(t, "hi", got.TCI.Hi, ci[1], 1e-6)
	near(t, "se", got.SE, want["se_corrected"].(float64), 1e-6)
	near(t, "sd", got.SD, want["se_naive"].(float64)*math.Sqrt(10), 1e-9)
}

// TestPowerOfClusters: what 40 clusters of five cases can detect, and the number of cases that would show the difference,
// are of one size: a cluster that changes changes in one or two of its cases, not in all. Of simulated clusters like these
// 0.093 is shown with the power 80 %.
func TestPowerOfClusters(t *testing.T) {
	t.Parallel()
	sums := []int{1, -2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 1, 1, 0, 1, 0, 2, 0, 1, 1, 0, 0, 0, 0, 1, 0, 0, 1, 0, 3, 0, -3, 0, -1, -2}
	var d []float64
	var clusters []any
	for i, sum := range sums {
		for k := range 5 {
			v := 0.0
			if k < max(sum, -sum) {
				v = math.Copysign(1, float64(sum))
			}
			d, clusters = append(d, v), append(clusters, fmt.Sprint(i))
		}
	}
	c := compare(pairs(d, clusters), 0.95, 1)
	if c.Diff != 0.035 || *c.MDE < 0.08 || *c.MDE > 0.12 {
		t.Errorf("difference %v, detects %v, want 0.08 to 0.12", c.Diff, *c.MDE)
	}
	if at := *c.MDE * math.Sqrt(float64(c.N)/c.Settle); math.Abs(at-c.Diff) > 0.01 {
		t.Errorf("%d cases detect %v and %v would show %v, of which they detect %v", c.N, *c.MDE, c.Settle, c.Diff, at)
	}
}

// TestMeanAndSignsDisagree: 8 small gains and 2 total losses.
func TestMeanAndSignsDisagree(t *testing.T) {
	t.Parallel()
	d := []float64{0.05, 0.05, 0.05, 0.05, 0.05, 0.05, 0.05, 0.05, -1, -1}
	c := compare(pairs(d, nil), 0.95, 1)
	if !c.Disagree || c.Diff >= 0 {
		t.Errorf("got %+v, want a mean that most cases contradict", c)
	}
	// 2·(1 + 10 + 45)/1024.
	near(t, "sign p", c.SignP, 0.109375, 1e-12)
	if c := compare(pairs(d[:8], nil), 0.95, 1); c.Disagree {
		t.Errorf("gains only: %+v, want no contradiction", c)
	}
}

// TestFewClustersHaveNoInterval: at 0.95 the smallest p of 5 clusters is 2/32 =
// 0.0625, of 6 it is 0.03125.
func TestFewClustersHaveNoInterval(t *testing.T) {
	t.Parallel()
	d := []float64{5, 5.1, 5.2, 5.3, 5.4, 5.5}
	five, six := compare(pairs(d[:5], nil), 0.95, 1), compare(pairs(d, nil), 0.95, 1)
	if five.CI != nil || five.TCI == nil || !slices.Contains(five.Warnings, stats.Warning{Kind: stats.CannotBeSignificant, N: 5}) {
		t.Errorf("five: %+v, want no interval, that of t, and a warning", five)
	}
	// Two patterns of 64 keep or flip all; the next by their shift flip all but
	// one: the ends are the smallest and the largest difference.
	near(t, "p", six.P, 1.0/32, 1e-12)
	near(t, "lo", six.CI.Lo, 5, 1e-12)
	near(t, "hi", six.CI.Hi, 5.5, 1e-12)
}

// drawPairs draws pairs of every kind: on a grid with ties, continuous, mostly
// equal, in clusters; a few or hundreds.
func drawPairs(t *rapid.T) []stats.Pair {
	n := rapid.OneOf(rapid.IntRange(1, 12), rapid.IntRange(1, 12), rapid.IntRange(13, 16), rapid.IntRange(21, 400)).Draw(t, "n")
	kind := rapid.SampledFrom([]string{"grid", "continuous", "mostly equal", "0 or 1"}).Draw(t, "kind")
	groups := rapid.SampledFrom([]int{0, 0, 1, 5, 40}).Draw(t, "groups")
	rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
	shift := rng.NormFloat64() * rapid.SampledFrom([]float64{0, 0.1, 1}).Draw(t, "shift")
	out := make([]stats.Pair, n)
	for i := range out {
		p := &out[i]
		switch kind {
		case "grid":
			p.Old, p.New = float64(rng.IntN(5))/4, float64(rng.IntN(5))/4
		case "0 or 1":
			p.Old, p.New = float64(rng.IntN(2)), float64(rng.IntN(2))
		case "continuous":
			p.Old = rng.Float64()
			p.New = p.Old + 0.2*rng.NormFloat64() + shift
		default:
			p.Old = rng.Float64()
			p.New = p.Old
			if rng.IntN(20) == 0 {
				p.New = rng.Float64()
			}
		}
		if groups > 0 && rng.IntN(4) > 0 {
			p.Cluster = fmt.Sprint(rng.IntN(groups))
		}
	}
	return out
}

// TestComparisonLaws: what must hold of every comparison.
func TestComparisonLaws(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		forth := drawPairs(t)
		level := rapid.SampledFrom([]float64{0.8, 0.9, 0.95, 0.99}).Draw(t, "level")
		seed := rapid.Uint64().Draw(t, "seed of the test")
		c := compare(forth, level, seed)
		consistent(t, c)

		back := make([]stats.Pair, len(forth))
		large := make([]stats.Pair, len(forth))
		raised := make([]stats.Pair, len(forth))
		for i, p := range forth {
			back[i] = stats.Pair{Old: p.New, New: p.Old, Cluster: p.Cluster}
			large[i] = stats.Pair{Old: 16 * p.Old, New: 16 * p.New, Cluster: p.Cluster}
			raised[i] = stats.Pair{Old: p.Old, New: p.New + 0.25, Cluster: p.Cluster}
		}
		all := stats.CompareAll([][]stats.Pair{back, large, raised}, level, seed)
		for _, other := range all {
			consistent(t, other)
		}
		b, d, r := all[0], all[1], all[2]
		if (b.CI == nil) != (c.CI == nil) {
			t.Fatalf("only one interval: %+v and %+v", c, b)
		}
		if b.P != c.P || b.Diff != -c.Diff || b.Wins != c.Losses || b.SignP != c.SignP || b.SD != c.SD || b.Disagree != c.Disagree {
			t.Fatalf("not antisymmetric: %+v and %+v", c, b)
		}
		if d.Diff != 16*c.Diff || d.P != c.P && !isHits(forth) {
			t.Fatalf("16 times the scores: %+v and %+v", c, d)
		}
		if c.P == 1 || isHits(forth) {
			return // with another test, or another interval where nothing differs
		}
		if math.Abs(r.Diff-c.Diff-0.25) > 1e-9 {
			t.Fatalf("raised by a quarter: %v and %v", c.Diff, r.Diff)
		}
		if c.CI == nil || d.CI == nil || r.CI == nil {
			if c.CI != nil || d.CI != nil || r.CI != nil {
				t.Fatalf("intervals for some of %+v, %+v and %+v", c, d, r)
			}
			return
		}
		if *b.CI != (stats.Interval{Lo: -c.CI.Hi, Hi: -c.CI.Lo}) && !snapped(c) {
			t.Fatalf("interval %v, backwards %v", c.CI, b.CI)
		}
		// An end that was moved to where the test wants it is moved to 0 and does
		// not scale or shift.
		if !snapped(c) && !snapped(d) && (d.CI.Lo != 16*c.CI.Lo || d.CI.Hi != 16*c.CI.Hi) {
			t.Fatalf("interval %v, of 16 times the scores %v", c.CI, d.CI)
		}
		if !snapped(c) && !snapped(r) && (math.Abs(r.CI.Lo-c.CI.Lo-0.25) > 1e-9 || math.Abs(r.CI.Hi-c.CI.Hi-0.25) > 1e-9) {
			t.Fatalf("interval %v, raised by a quarter %v", c.CI, r.CI)
		}
	})
}

// isHits tells whether all values are 0 or 1.
func isHits(pairs []stats.Pair) bool {
	return !slices.ContainsFunc(pairs, func(p stats.Pair) bool { return p.Old != 0 && p.Old != 1 || p.New != 0 && p.New != 1 })
}

// snapped tells whether the test has moved an end of the interval.
func snapped(c stats.Comparison) bool {
	edge := func(v float64) bool { return math.Abs(v) <= math.SmallestNonzeroFloat64 }
	return edge(c.CI.Lo) || edge(c.CI.Hi)
}

// consistent fails unless the parts of a comparison say the same.
func consistent(t rapid.TB, c stats.Comparison) {
	t.Helper()
	if _, err := json.Marshal(c); err != nil {
		t.Fatalf("%+v: %v", c, err)
	}
	if c.P <= 0 || c.P > 1 || c.SignP <= 0 || c.SignP > 1 || c.PAdjusted != c.P {
		t.Fatalf("p outside 0…1: %+v", c)
	}
	if c.Wins+c.Ties+c.Losses != c.N {
		t.Fatalf("wins, ties and losses do not add up: %+v", c)
	}
	if math.Abs(c.New-c.Old-c.Diff) > 1e-9*max(1, math.Abs(c.Old), math.Abs(c.New)) {
		t.Fatalf("the difference is not that of the means: %+v", c)
	}
	if c.Wins+c.Losses == 0 && (c.P != 1 || c.SignP != 1 || c.Diff != 0) {
		t.Fatalf("nothing differs: %+v", c)
	}
	if (c.DZ == nil) != (c.SD == 0) || c.MDE != nil && *c.MDE <= 0 {
		t.Fatalf("effect without spread: %+v", c)
	}
	if c.TCI != nil && !c.TCI.Contains(c.Diff) {
		t.Fatalf("the t interval %v leaves out the difference %v", c.TCI, c.Diff)
	}
	if c.CI == nil {
		return
	}
	if !c.CI.Contains(c.Diff) {
		t.Fatalf("the interval %v leaves out the difference %v", c.CI, c.Diff)
	}
	if c.CI.Contains(0) == (c.P < 1-c.Level) {
		t.Fatalf("the interval %v and p = %v disagree", c.CI, c.P)
	}
}

// many are comparisons with unlike clusters, some of which share theirs.
func many() [][]stats.Pair {
	rng := rand.New(rand.NewPCG(9, 9))
	var out [][]stats.Pair
	for m := range 20 {
		n := []int{0, 1, 18, 130, 130, 300}[m%6]
		p := make([]stats.Pair, n)
		for i := range p {
			p[i] = stats.Pair{Old: rng.Float64(), New: rng.Float64() + 0.02*float64(m)}
			if m%4 == 0 {
				p[i].Cluster = fmt.Sprint(i / 3)
			}
		}
		out = append(out, p)
	}
	// As many clusters as others have, each of two pairs.
	twos := make([]stats.Pair, 260)
	for i := range twos {
		twos[i] = stats.Pair{Old: rng.Float64(), New: rng.Float64(), Cluster: fmt.Sprint(i / 2)}
	}
	return append(out, twos)
}

// TestCompareAllIsCompare: sharing sign patterns changes nothing, nor does the
// number of threads.
func TestCompareAllIsCompare(t *testing.T) {
	metrics := many()
	var want []stats.Comparison
	for _, p := range metrics {
		want = append(want, compare(p, 0.95, 11))
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for _, threads := range []int{1, 2, 8} {
		runtime.GOMAXPROCS(threads)
		got := stats.CompareAll(metrics, 0.95, 11)
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("%d threads: %+v, want %+v", threads, got, want)
		}
	}
	other := stats.CompareAll(metrics, 0.95, 12)
	if other[3].P == want[3].P && *other[3].CI == *want[3].CI {
		t.Error("another seed draws the same patterns")
	}
	if len(stats.CompareAll(nil, 0.95, 1)) != 0 {
		t.Error("comparisons of nothing")
	}
}

// TestDrawnNearExact: 20 clusters are enumerated. With three more that hardly
// differ, 23 are drawn, so that both p-values lie within 4 Monte-Carlo standard
// errors (3 are exceeded once in 370), and so does the tail beyond each end.
func TestDrawnNearExact(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(3, 4))
	for range 4 {
		d := make([]float64, 20, 23)
		for i := range d {
			d[i] = rng.NormFloat64() + 0.3
		}
		exact := compare(pairs(d, nil), 0.95, 1).P
		drawn := compare(pairs(append(d, 1e-9, -1e-9, 1e-9), nil), 0.95, 1).P
		near(t, "p", drawn, exact, 4*math.Sqrt(exact*(1-exact)/100_000)+2e-5)
	}
}

// TestIntervalOfManyIsThatOfT: with 400 clusters the central limit theorem has
// done its work, and both intervals are the same but for Monte-Carlo error.
func TestIntervalOfManyIsThatOfT(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(5, 5))
	d := make([]float64, 400)
	for i := range d {
		d[i] = rng.NormFloat64() + 0.1
	}
	c := compare(pairs(d, nil), 0.95, 1)
	near(t, "lo", c.CI.Lo, c.TCI.Lo, 0.02*c.TCI.Half())
	near(t, "hi", c.CI.Hi, c.TCI.Hi, 0.02*c.TCI.Half())
}

// TestExtremeNumbers: whatever the scores, every number can be written down.
func TestExtremeNumbers(t *testing.T) {
	t.Parallel()
	const most, least = math.MaxFloat64, math.SmallestNonzeroFloat64
	values := []float64{0, 1, -1, 0.1, least, -least, 1e-300, 1e300, -1e300, most, -most, math.NaN(), math.Inf(1), math.Inf(-1)}
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 30).Draw(t, "n")
		value := rapid.SampledFrom(values[:rapid.IntRange(1, len(values)).Draw(t, "kinds")])
		cluster := rapid.SampledFrom([]string{"", "", "a", "b"})
		in := make([]stats.Pair, n)
		counted := 0
		for i := range in {
			in[i] = stats.Pair{Old: value.Draw(t, "old"), New: value.Draw(t, "new"), Cluster: cluster.Draw(t, "cluster")}
			if f := in[i].Old - in[i].Old + in[i].New - in[i].New; !math.IsNaN(f) {
				counted++
			}
		}
		level := rapid.SampledFrom([]float64{0.95, 0, 1, math.Nextafter(1, 0), least, -3, 7}).Draw(t, "level")
		c := compare(in, level, 1)
		if _, err := json.Marshal(c); err != nil {
			t.Fatalf("%+v: %v", c, err)
		}
		if c.N != counted || c.Dropped != n-counted || c.P <= 0 || c.P > 1 {
			t.Fatalf("%d of %d pairs are finite: %+v", counted, n, c)
		}
		for _, ci := range []*stats.Interval{c.CI, c.TCI} {
			if ci != nil && !ci.Contains(c.Diff) {
				t.Fatalf("the interval %v leaves out the difference %v", ci, c.Diff)
			}
		}
		margin, alpha := value.Draw(t, "margin"), rapid.SampledFrom([]float64{0.05, 0.5, least, 0, 0.6, math.NaN()}).Draw(t, "alpha")
		r, ok := stats.NonInferior(in, 0, margin, alpha, 1)
		if _, err := json.Marshal(r); err != nil {
			t.Fatalf("%+v: %v", r, err)
		}
		if ok && (r.Shown && r.Worse || r.Shown != (r.Lower > -margin) || r.Worse != (r.Upper < -margin) || r.Shown != (r.P < alpha)) {
			t.Fatalf("the parts disagree: %+v", r)
		}
		if p := signFlip([]float64{in0(in), 1}, 1); !(p > 0 && p <= 1) {
			t.Fatalf("p = %v", p)
		}
	})
}

func in0(pairs []stats.Pair) float64 {
	if len(pairs) == 0 {
		return 0
	}
	return pairs[0].Old
}

// TestHugeScoresAreScaled: 1e300 times the scores gives 1e300 times the numbers.
func TestHugeScoresAreScaled(t *testing.T) {
	t.Parallel()
	small, large := make([]stats.Pair, 9), make([]stats.Pair, 9)
	for i := range small {
		small[i] = stats.Pair{Old: float64(i % 3), New: float64(i) / 4}
		large[i] = stats.Pair{Old: 1e300 * small[i].Old, New: 1e300 * small[i].New}
	}
	s, l := compare(small, 0.95, 1), compare(large, 0.95, 1)
	near(t, "p", l.P, s.P, 0)
	near(t, "diff", l.Diff/1e300, s.Diff, 1e-12)
	near(t, "sd", l.SD/1e300, s.SD, 1e-12)
	near(t, "dz", *l.DZ, *s.DZ, 1e-12)
	near(t, "mde", *l.MDE/1e300, *s.MDE, 1e-12)
	near(t, "lo", l.CI.Lo/1e300, s.CI.Lo, 1e-12)
	near(t, "t hi", l.TCI.Hi/1e300, s.TCI.Hi, 1e-12)
}

// TestRoundingIsNoDifference: 0.1 + 0.2 is not 0.3 to a computer.
func TestRoundingIsNoDifference(t *testing.T) {
	t.Parallel()
	tenth, fifth := 0.1, 0.2
	in := make([]stats.Pair, 30)
	for i := range in {
		in[i] = stats.Pair{Old: 0.3, New: tenth + fifth}
	}
	c := compare(in, 0.95, 1)
	if c.P != 1 || c.Wins != 0 || c.Diff != 0 || c.SD != 0 || c.DZ != nil {
		t.Errorf("got %+v, want no difference", c)
	}
	// 0.8 − 0.7 and 0.3 − 0.2 are both a tenth, but for rounding.
	for i := range in {
		in[i] = stats.Pair{Old: 0.7, New: 0.8}
		if i%2 == 0 {
			in[i] = stats.Pair{Old: 0.2, New: 0.3}
		}
	}
	if c = compare(in, 0.95, 1); c.SD != 0 || c.DZ != nil || c.MDE != nil || c.P > 1e-4 {
		t.Errorf("got %+v, want a difference without spread", c)
	}
	// 0.1 + 0.2 − 0.3 in each of ten clusters.
	in = in[:0]
	for i := range 10 {
		for _, d := range []float64{0.1, 0.2, -0.3} {
			in = append(in, stats.Pair{New: d, Cluster: fmt.Sprint(i)})
		}
	}
	if c = compare(in, 0.95, 1); c.P != 1 || c.Diff != 0 || c.SD == 0 || c.MDE != nil {
		t.Errorf("got %+v, want clusters without a difference", c)
	}
}
