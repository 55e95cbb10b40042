package stats_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/assay-eval/assay/internal/requiretest"
	"github.com/assay-eval/assay/stats"
)

// A source draws values with a known mean.
type source struct {
	name, note string
	mean       float64
	draw       func(rng *rand.Rand) float64
}

// beta values are the share of a of a+b waiting times.
func beta(a, b int) func(rng *rand.Rand) float64 {
	return func(rng *rand.Rand) float64 {
		var x, y float64
		for range a {
			x += rng.ExpFloat64()
		}
		for range b {
			y += rng.ExpFloat64()
		}
		return x / (x + y)
	}
}

// mostly draws 1 with a probability, and otherwise what rest draws.
func mostly(ones float64, rest func(rng *rand.Rand) float64) func(rng *rand.Rand) float64 {
	return func(rng *rand.Rand) float64 {
		if rng.Float64() < ones {
			return 1
		}
		return rest(rng)
	}
}

func always(v float64) func(rng *rand.Rand) float64 { return func(*rand.Rand) float64 { return v } }

var sources = []source{
	{"binary, 70 %", "0 or 1, 70 % are 1", 0.7, mostly(0.7, always(0))},
	{"binary, 95 %", "0 or 1, 95 % are 1", 0.95, mostly(0.95, always(0))},
	{"beta", "beta distribution with 8 and 2, mean 0.8", 0.8, beta(8, 2)},
	{"beta, high", "beta distribution with 9 and 1, mean 0.9", 0.9, beta(9, 1)},
	{"nDCG-like", "20 % are 0, 40 % are 1, the others even between 0.1 and 1", 0.62, func(rng *rand.Rand) float64 {
		if rng.Float64() < 0.2 {
			return 0
		}
		return mostly(0.5, func(rng *rand.Rand) float64 { return 0.1 + 0.9*rng.Float64() })(rng)
	}},
	{"near the ceiling", "95 % are 1, the others even between 0 and 1", 0.975, mostly(0.95, (*rand.Rand).Float64)},
	{"near, halves", "95 % are 1, the others 0.5", 0.975, mostly(0.95, always(0.5))},
	{"high, rare losses", "even between 0.9 and 1, 5 % are 0", 0.95 * 0.95, func(rng *rand.Rand) float64 {
		if rng.Float64() < 0.05 {
			return 0
		}
		return 0.9 + 0.1*rng.Float64()
	}},
	{"low, skewed", "beta distribution with 0.1 and 2, mean 0.048", 0.1 / 2.1, func(rng *rand.Rand) float64 {
		// The share of a gamma variable with 0.1 (by that with 1.1, Marsaglia and Tsang) of it and two waiting times.
		d := 1.1 - 1.0/3
		for {
			x := rng.NormFloat64()
			v := math.Pow(1+x/math.Sqrt(9*d), 3)
			if v > 0 && math.Log(rng.Float64()) < x*x/2+d-d*v+d*math.Log(v) {
				small := d * v * math.Pow(rng.Float64(), 10)
				return small / (small + rng.ExpFloat64() + rng.ExpFloat64())
			}
		}
	}},
	{"lognormal", "as latencies, the logarithm has a deviation of 1", math.Exp(0.5), func(rng *rand.Rand) float64 {
		return math.Exp(rng.NormFloat64())
	}},
	{"lognormal, less skewed", "the logarithm has a deviation of 0.5", math.Exp(0.125), func(rng *rand.Rand) float64 {
		return math.Exp(0.5 * rng.NormFloat64())
	}},
}

// holds draws n values and tells whether the interval of Mean, and that of
// Student's t, hold the mean.
func (s source) holds(rng *rand.Rand, n, size int) (held, student bool) {
	in := make([]stats.Sample, n)
	for i := range in {
		in[i].Value = s.draw(rng)
		if size > 1 {
			// All values of a cluster are alike.
			in[i] = stats.Sample{Value: in[i-i%size].Value, Cluster: fmt.Sprint("c", i/size)}
		}
	}
	e := stats.Mean(in, 0.95)
	t, ok := stats.PairedT(in, 0.95)
	return e.CI != nil && e.CI.Contains(s.mean), ok && t.CI.Contains(s.mean)
}

// TestMeanCovers: the results page has more samples of every kind.
func TestMeanCovers(t *testing.T) {
	requiretest.Apart(t)
	t.Parallel()
	const trials = 700
	for _, s := range sources {
		for _, size := range []int{1, 4} {
			held := 0
			for i := range trials {
				if ok, _ := s.holds(rand.New(rand.NewPCG(1, uint64(i))), 50*size, size); ok {
					held++
				}
			}
			if held < 0.92*trials {
				t.Errorf("%s, 50 clusters of %d: %d of %d intervals hold the mean", s.name, size, held, trials)
			}
		}
	}
}

// TestMeanAtABound: nothing but ones leaves room for what is not one, less the
// more there are, and in clusters as much as there are clusters.
func TestMeanAtABound(t *testing.T) {
	t.Parallel()
	in := samples(slices.Repeat([]float64{1}, 40)...)
	e := stats.Mean(in, 0.95)
	if want := stats.Wilson(40, 40, 0.95); *e.CI != want {
		t.Errorf("40 ones: %v, want %v", e.CI, want)
	}
	in = append(in[:39:39], stats.Sample{Value: 0.9})
	if almost := stats.Mean(in, 0.95); almost.CI.Lo > e.CI.Lo+0.06 || almost.CI.Hi > 1 || almost.CI.Hi < almost.Mean {
		t.Errorf("39 ones and 0.9: %v, want an interval that knows how little the one value says", almost.CI)
	}
	for i := range in {
		in[i] = stats.Sample{Value: 1, Cluster: fmt.Sprint(i / 4)}
	}
	if grouped := stats.Mean(in, 0.95); grouped.CI.Lo > stats.Wilson(10, 10, 0.95).Lo+0.02 || len(grouped.Warnings) != 0 {
		t.Errorf("ten groups of ones: %+v, want about as much room as ten ones have", grouped)
	}
	fives := stats.Mean(samples(slices.Repeat([]float64{5}, 40)...), 0.95)
	if fives.CI != nil || !slices.Contains(fives.Warnings, stats.Warning{Kind: stats.AllEqual, N: 40}) {
		t.Errorf("40 fives: %+v, want a warning and no interval", fives)
	}
}
