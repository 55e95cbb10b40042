package stats_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/assay-eval/assay/internal/requiretest"
	"github.com/assay-eval/assay/stats"
)

// TestPartIsAPermutationTest: the p-value is about the share of random parts that are as far
// from the rest, in the tails, too, where values are nearly all alike.
func TestPartIsAPermutationTest(t *testing.T) {
	requiretest.Apart(t)
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 2))
	for _, c := range []struct {
		n, part int
		value   func() float64
	}{
		{200, 10, func() float64 { return math.Floor(rng.Float64() + 0.95) }},
		{400, 40, func() float64 { return math.Floor(rng.Float64() + 0.03) }},
		{60, 30, func() float64 { return rng.NormFloat64() }},
		{100, 12, func() float64 { return math.Exp(2 * rng.NormFloat64()) }},
	} {
		list := make([]stats.Sample, c.n)
		for i := range list {
			list[i].Value = c.value()
		}
		w, ok := stats.NewWhole(list)
		if !ok {
			t.Fatal("all values are equal")
		}
		const draws = 20_000
		at := make([]int32, c.part)
		order := make([]int32, c.n)
		for i := range order {
			order[i] = int32(i)
		}
		// p has how many random parts have a p-value below each of these.
		below := map[float64]int{0.1: 0, 0.05: 0, 0.01: 0, 0.001: 0, 0.0002: 0}
		for range draws {
			for i := range at {
				k := i + rng.IntN(c.n-i)
				order[i], order[k] = order[k], order[i]
				at[i] = order[i]
			}
			p := w.Part(at).P
			for level := range below {
				if p < level {
					below[level]++
				}
			}
		}
		for level, n := range below {
			// Parts of hits have few different p-values, so that many can be below no level.
			share := float64(n) / draws
			slack := 3 * math.Sqrt(level/draws)
			if share > 1.25*level+slack {
				t.Errorf("%d of %d: %.5f of the parts have p < %g", c.part, c.n, share, level)
			}
		}
	}
}

// TestPartOfClusters: values that share clusters depend on each other, and parts of them are
// found no more often by chance.
func TestPartOfClusters(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(3, 4))
	for _, groups := range []int{12, 40, 150} {
		for _, hits := range []bool{false, true} {
			for _, whole := range []bool{false, true} { // whether parts consist of whole clusters
				const runs = 600
				at05, at001, inside := 0, 0, 0
				for range runs {
					var list []stats.Sample
					var at []int32
					for g := range groups {
						u, chosen := rng.NormFloat64(), rng.Float64() < 0.25
						for range 1 + rng.IntN(7) {
							v := u + rng.NormFloat64()
							if hits {
								v = math.Floor(1/(1+math.Exp(-2*v-1)) + rng.Float64())
							}
							if !whole {
								chosen = rng.Float64() < 0.25
							}
							if chosen {
								at = append(at, int32(len(list)))
							}
							list = append(list, stats.Sample{Value: v, Cluster: fmt.Sprint(g)})
						}
					}
					w, ok := stats.NewWhole(list)
					if !ok || len(at) < 10 || len(at) > len(list)-10 {
						continue
					}
					c := w.Part(at)
					if c.P < 0.05 {
						at05++
					}
					if c.P < 0.001 {
						at001++
					}
					if ci := c.Interval(0.95, math.MaxFloat64, c.P < 0.05); ci != nil && !ci.Contains(0) {
						inside++
					}
				}
				if share := float64(at05) / runs; share > 0.05+3*math.Sqrt(0.05/runs) || groups > 20 && share < 0.025 {
					t.Errorf("%d clusters, hits %v, whole %v: %.4f of the parts have p < 0.05", groups, hits, whole, share)
				}
				if share := float64(at001) / runs; share > 0.001+4*math.Sqrt(0.001/runs) {
					t.Errorf("%d clusters, hits %v, whole %v: %.4f of the parts have p < 0.001", groups, hits, whole, share)
				}
				if inside != at05 {
					t.Errorf("%d intervals without 0 of %d differences that are shown", inside, at05)
				}
			}
		}
	}
}

// TestPartDiffers: a part that differs has the difference, a small p-value and an interval
// around it; values that cannot differ have none.
func TestPartDiffers(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(5, 6))
	covered, shown := 0, 0
	const runs = 1000
	for range runs {
		var list []stats.Sample
		var at []int32
		for i := range 400 {
			v := 0.7
			if i%10 == 0 {
				at, v = append(at, int32(i)), 0.4
			}
			list = append(list, stats.Sample{Value: math.Floor(v + rng.Float64())})
		}
		w, _ := stats.NewWhole(list)
		c := w.Part(at)
		if c.N != 40 || c.Rest != 360 || math.Abs(c.Diff-(c.Mean-c.RestMean)) > 1e-9 {
			t.Fatalf("%+v", c)
		}
		if c.P < 0.05 {
			shown++
		}
		if ci := c.Interval(0.95, 1, c.P < 0.05); ci.Contains(-0.3) {
			covered++
		}
	}
	if shown < 900 || covered < 930 || covered > 985 {
		t.Errorf("of %d differences %d are shown, and %d are in their intervals", runs, shown, covered)
	}
	for _, list := range [][]stats.Sample{nil, {{Value: 1}}, {{Value: 1}, {Value: 1}, {Value: 1}}, {{Value: 1}, {Value: 0}, {Value: math.NaN()}},
		{{Value: 1, Cluster: "a"}, {Value: 0, Cluster: "b"}, {Value: 0, Cluster: "b"}}} {
		if _, ok := stats.NewWhole(list); ok {
			t.Errorf("%v can be divided", list)
		}
	}
	w, ok := stats.NewWhole([]stats.Sample{{Value: 1e300}, {Value: -1e300}, {Value: 3}, {Value: 1e300}, {Value: 0}})
	c := w.Part([]int32{0, 3})
	if !ok || !(c.P > 0 && c.P <= 1) || math.IsInf(c.Diff, 0) {
		t.Errorf("huge values: %v, %+v", ok, c)
	}
	if c := w.Part([]int32{1}); c.P != 1 || c.Interval(0.95, math.MaxFloat64, false) != nil {
		t.Errorf("a part of one value: %+v", c)
	}
}

// TestPartMeansAreExact: a mean of zeros is 0, and of ones 1, whatever the others are.
func TestPartMeansAreExact(t *testing.T) {
	for _, values := range [][2]float64{{0, 1}, {1, 0}, {0, 0.7}} {
		for hits := 3; hits < 120; hits++ {
			list := make([]stats.Sample, 120)
			var at, rest []int32
			for i := range list {
				if list[i].Value = values[0]; i < hits {
					list[i].Value = values[1]
					rest = append(rest, int32(i))
				} else {
					at = append(at, int32(i))
				}
			}
			w, _ := stats.NewWhole(list)
			c, other := w.Part(at), w.Part(rest)
			if values[0] == 0 && (c.Mean != 0 || other.RestMean != 0) || values[0] == 1 && (c.Mean != 1 || other.RestMean != 1) || math.Abs(c.Diff) > 1 {
				t.Errorf("%v, %d: %v, %v", values, hits, c.Mean, other.RestMean)
			}
			if c.Mean != other.RestMean || c.RestMean != other.Mean {
				t.Errorf("%v, %d: %+v, %+v", values, hits, c, other)
			}
		}
	}
}
