package stats_test

import (
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/assay-eval/assay/internal/require"
	"github.com/assay-eval/assay/stats"
)

func TestBootstrapExhaustiveWorked(t *testing.T) {
	t.Parallel()
	var in struct {
		D     []float64
		Alpha float64
	}
	var want struct {
		Resamples                    int
		Percentile, BCa, Studentized [2]float64
		Z0, A                        float64
		Levels                       [2]float64 `json:"bca_levels"`
		SE                           float64    `json:"se_boot"`
	}
	require.Worked(t, "bootstrap_exhaustive", &in, &want)
	got, ok := stats.ResampleMean(samples(in.D...), stats.ResampleOptions{Level: 1 - in.Alpha})
	if !ok || !got.Exhaustive || got.Resamples != want.Resamples || got.Clusters != 5 || got.BCa == nil || got.Studentized == nil {
		t.Fatalf("got %+v %v", got, ok)
	}
	near(t, "se", got.SE, want.SE, 1e-9)
	near(t, "z0", got.Z0, want.Z0, 1e-9)
	near(t, "a", got.Acceleration, want.A, 1e-9)
	for i, pair := range [][2]float64{
		{got.Levels[0], want.Levels[0]},
		{got.Levels[1], want.Levels[1]},
		{got.Percentile.Lo, want.Percentile[0]},
		{got.Percentile.Hi, want.Percentile[1]},
		{got.BCa.Lo, want.BCa[0]},
		{got.BCa.Hi, want.BCa[1]},
		{got.Studentized.Lo, want.Studentized[0]},
		{got.Studentized.Hi, want.Studentized[1]},
	} {
		if math.Abs(pair[0]-pair[1]) > 1e-9 {
			t.Errorf("bound %d is %v, want %v", i, pair[0], pair[1])
		}
	}
	if got.Interval() != got.Percentile {
		t.Error("with five clusters the percentile interval is to be printed")
	}
}

// With 5 % at each end, an end of the studentized interval of 3 values falls on
// the 3 of 27 resamples that hold one value only: there is none.
func TestResampleWithoutSpread(t *testing.T) {
	t.Parallel()
	got, ok := stats.ResampleMean(samples(0, 0.4, 1), stats.ResampleOptions{Level: 0.9})
	if !ok || got.Resamples != 27 || got.Percentile == nil || got.Studentized != nil {
		t.Errorf("got %+v %v", got, ok)
	}
	same, ok := stats.ResampleMean(samples(2, 2, 2, 2, 2, 2, 2), stats.ResampleOptions{})
	if !ok || same.SE != 0 || *same.Percentile != (stats.Interval{Lo: 2, Hi: 2}) || *same.BCa != *same.Percentile {
		t.Errorf("equal values: %+v %v", same, ok)
	}
}

// The standard error of drawn resamples of a mean is known in closed form.
func TestResampleDrawnNearExact(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 2))
	var d []stats.Sample
	var sum, square float64
	for range 60 {
		v := rng.NormFloat64()
		d = append(d, stats.Sample{Value: v})
		sum += v
		square += v * v
	}
	got, ok := stats.ResampleMean(d, stats.ResampleOptions{Seed: 3})
	if !ok || got.Resamples != 10_000 || got.Exhaustive {
		t.Fatalf("got %+v %v", got, ok)
	}
	// The error of the mean of a resample is √(Σ(x−m)²/n)/√n; its estimate from
	// 10,000 has a relative standard error of 1/√20000.
	m := sum / 60
	want := math.Sqrt((square/60 - m*m) / 60)
	near(t, "se", got.SE, want, 4*want/math.Sqrt(20_000))
	again, _ := stats.ResampleMean(d, stats.ResampleOptions{Seed: 3})
	if !reflect.DeepEqual(got, again) {
		t.Error("the same seed gives another answer")
	}
}

// Whole clusters are drawn: copies of a case in its cluster change nothing.
func TestResampleClusters(t *testing.T) {
	t.Parallel()
	var once, thrice []stats.Sample
	for i, v := range []float64{3, 1, 4, 1, 5, 9, 2, 6} {
		name := string(rune('a' + i))
		once = append(once, stats.Sample{Value: v, Cluster: name})
		for range 3 {
			thrice = append(thrice, stats.Sample{Value: v, Cluster: name})
		}
	}
	a, _ := stats.ResampleMean(once, stats.ResampleOptions{Seed: 5})
	b, _ := stats.ResampleMean(thrice, stats.ResampleOptions{Seed: 5})
	for _, pair := range [][2]*stats.Interval{{a.Percentile, b.Percentile}, {a.BCa, b.BCa}, {a.Studentized, b.Studentized}} {
		near(t, "lo", pair[1].Lo, pair[0].Lo, 1e-9)
		near(t, "hi", pair[1].Hi, pair[0].Hi, 1e-9)
	}
}

// A statistic that is no mean: the median. scipy is not asked, as its draws
// differ; the percentile interval of the median of 1…99 lies between the order
// statistics that a binomial gives, 40 and 60 ± 1.
func TestResampleMedian(t *testing.T) {
	t.Parallel()
	median := func(groups [][]int) (float64, float64, bool) {
		var v []float64
		for _, g := range groups {
			for _, i := range g {
				v = append(v, float64(i+1))
			}
		}
		slices.Sort(v)
		m, ok := stats.Quantile(v, 0.5)
		return m, 0, ok
	}
	got, ok := stats.Resample(make([]string, 99), stats.ResampleOptions{Seed: 1}, median)
	if !ok || got.Value != 50 || got.Studentized != nil || got.BCa == nil {
		t.Fatalf("got %+v %v", got, ok)
	}
	near(t, "lo", got.Percentile.Lo, 40, 1)
	near(t, "hi", got.Percentile.Hi, 60, 1)
	large, _ := stats.Resample(make([]string, 200), stats.ResampleOptions{Resamples: 500}, median)
	if large.Interval() != large.BCa || large.Resamples != 500 {
		t.Errorf("with 200 clusters BCa is to be printed: %+v", large)
	}
}

// A statistic that is undefined without the first item.
func TestResampleUndefined(t *testing.T) {
	t.Parallel()
	needsFirst := func(groups [][]int) (float64, float64, bool) {
		for _, g := range groups {
			if slices.Contains(g, 0) {
				return 1, 0, true
			}
		}
		return 0, 0, false
	}
	// (1 − 1/20)²⁰ = 36 % of resamples lack it.
	got, ok := stats.Resample(make([]string, 20), stats.ResampleOptions{}, needsFirst)
	if !ok || got.Percentile != nil || got.BCa != nil || got.Undefined == 0 || got.Interval() != nil {
		t.Errorf("got %+v %v, want no interval", got, ok)
	}
	never := func([][]int) (float64, float64, bool) { return math.NaN(), 0, true }
	for _, r := range []func() (stats.Resampled, bool){
		func() (stats.Resampled, bool) {
			return stats.Resample(make([]string, 20), stats.ResampleOptions{}, never)
		},
		func() (stats.Resampled, bool) {
			return stats.Resample(make([]string, 1), stats.ResampleOptions{}, needsFirst)
		},
		func() (stats.Resampled, bool) {
			return stats.Resample(make([]string, 20), stats.ResampleOptions{Level: 1}, needsFirst)
		},
	} {
		if got, ok := r(); ok {
			t.Errorf("got %+v", got)
		}
	}
}

// TestComparePooledIsEnumeration: the test counts the swaps, here by listing them.
func TestComparePooledIsEnumeration(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 7).Draw(t, "n")
		pairs := make([]stats.CountPair, n)
		for i := range pairs {
			words := float64(rapid.IntRange(1, 6).Draw(t, "words"))
			pairs[i].Old = stats.Count{Num: float64(rapid.IntRange(0, 6).Draw(t, "old")), Den: words}
			pairs[i].New = stats.Count{Num: float64(rapid.IntRange(0, 6).Draw(t, "new")), Den: words + float64(rapid.IntRange(0, 2).Draw(t, "more"))}
		}
		ratios := func(mask int) float64 {
			var a, b stats.Count
			for i, p := range pairs {
				if mask>>i&1 == 1 {
					p.Old, p.New = p.New, p.Old
				}
				a.Num, a.Den, b.Num, b.Den = a.Num+p.Old.Num, a.Den+p.Old.Den, b.Num+p.New.Num, b.Den+p.New.Den
			}
			return b.Num/b.Den - a.Num/a.Den
		}
		hits := 0
		for mask := range 1 << n {
			if math.Abs(ratios(mask)) >= math.Abs(ratios(0))-1e-12 {
				hits++
			}
		}
		got, ok := stats.ComparePooled(pairs, 0.95, 1)
		want := float64(hits) / float64(int(1)<<n)
		if !ok || !got.Exact || math.Abs(got.Diff-ratios(0)) > 1e-12 || math.Abs(got.P-want) > 1e-12 {
			t.Fatalf("got %+v %v, want p = %v", got, ok, want)
		}
	})
}

// Beyond 20 clusters swaps are drawn: a case of next to nothing moves no ratio,
// but pushes the count over the limit. Within three standard errors, and one
// point for ties that it breaks.
func TestComparePooledDrawn(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(2, 3))
	var pairs []stats.CountPair
	for range 20 {
		// Odd and even counts differ.
		pairs = append(pairs, stats.CountPair{Old: stats.Count{Num: float64(2*rng.IntN(5) + 1), Den: 20}, New: stats.Count{Num: float64(2 * rng.IntN(5)), Den: float64(10 + rng.IntN(5))}})
	}
	exact, _ := stats.ComparePooled(pairs, 0.95, 1)
	drawn, ok := stats.ComparePooled(append(pairs, stats.CountPair{Old: stats.Count{Num: 1e-9, Den: 2e-9}, New: stats.Count{Num: 2e-9, Den: 3e-9}}), 0.95, 1)
	if !ok || !exact.Exact || drawn.Exact || drawn.CI == nil || !drawn.CI.Contains(drawn.Diff) {
		t.Fatalf("got %+v and %+v", exact, drawn)
	}
	near(t, "p", drawn.P, exact.P, 3*math.Sqrt(exact.P*(1-exact.P)/100_000)+0.01)
	var clustered []stats.CountPair
	for _, p := range pairs {
		p.Cluster = "one"
		clustered = append(clustered, p)
	}
	one, ok := stats.ComparePooled(clustered, 0.95, 1)
	if !ok || one.P != 1 || one.CI != nil {
		t.Errorf("one cluster: %+v %v, want p = 1 without an interval", one, ok)
	}
}

func TestComparePooledRefuses(t *testing.T) {
	t.Parallel()
	fine := stats.Count{Num: 1, Den: 2}
	for _, p := range [][]stats.CountPair{
		nil,
		{{Old: stats.Count{Num: 1}, New: fine}},
		{{Old: fine, New: stats.Count{Num: 1, Den: -2}}},
		{{Old: fine, New: stats.Count{Num: math.NaN(), Den: 2}}},
		{{Old: fine, New: stats.Count{Num: 1e308, Den: 2}}, {Old: fine, New: stats.Count{Num: 1e308, Den: 2}}},
	} {
		if got, ok := stats.ComparePooled(p, 0.95, 1); ok {
			t.Errorf("%+v: %+v", p, got)
		}
	}
	// A swap that leaves the new system without any word counts against it.
	got, ok := stats.ComparePooled([]stats.CountPair{{Old: stats.Count{}, New: stats.Count{Num: 1, Den: 2}}, {Old: fine, New: stats.Count{}}}, 0.95, 1)
	if !ok || got.P != 1 {
		t.Errorf("got %+v %v", got, ok)
	}
}
