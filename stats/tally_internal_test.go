package stats

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/assay-eval/assay/internal/requiretest"
)

// utterances draws errors and words of n cases, or of what is said.
func utterances(rng *rand.Rand, kind string, n int) []ratioCount {
	out := make([]ratioCount, n)
	for i := range out {
		words := float64(1 + rng.IntN(20))
		errors := 0.0
		for range int(words) {
			if rng.Float64() < 0.1 {
				errors++
			}
		}
		out[i] = ratioCount{errors, words}
		switch {
		case kind == "long tail":
			long := math.Floor(math.Exp(2 + 1.2*rng.NormFloat64()))
			out[i] = ratioCount{math.Floor(long * rng.Float64() * rng.Float64()), long + 1}
		case kind == "few errors" && i >= n/50 || kind == "very few errors" && i >= 9:
			out[i].num = 0
		case kind == "mostly nothing" && i >= n/30:
			out[i] = ratioCount{}
		case kind == "very few words" && i >= 30:
			out[i] = ratioCount{}
		case kind == "one giant" && i == 0:
			out[i] = ratioCount{3000, 9000}
		case kind == "invented text":
			if i%10 == 0 {
				out[i] = ratioCount{float64(rng.IntN(40)), 0}
			}
		}
	}
	return out
}

var utteranceKinds = []string{"even", "long tail", "few errors", "very few errors", "mostly nothing", "very few words", "one giant", "invented text"}

// Above 2,000 clusters the interval is that of resampling them all, widened in the same way, but for the error of
// 10,000 draws.
func TestTallyIsTheBootstrap(t *testing.T) {
	requiretest.Apart(t)
	t.Parallel()
	expanded := 0
	check := func(kind string, n int) {
		groups := utterances(rand.New(rand.NewPCG(uint64(n), 1)), kind, n)
		var tally Tally
		all := make([]repeated, 0, len(groups))
		for _, g := range groups {
			tally.Add(g.num, g.den)
			all = append(all, repeated{g, 1})
		}
		if _, ok := expandedRatio(all, 0.95); ok {
			expanded++
		}
		got, want := tally.Ratio(0.95, 1), resampledRatio(groups, 0.95, 2)
		want.holdRare(all, 0.95, false)
		width := want.Hi - want.Lo
		t.Logf("%-16s %6d %.5f to %.5f, resampled %.5f to %.5f: %+.3f and %+.3f of the width", kind, n, got.Lo, got.Hi, want.Lo, want.Hi,
			(got.Lo-want.Lo)/width, (got.Hi-want.Hi)/width)
		// An end has a Monte Carlo error of about 1 % of the width with 10,000 draws, and where
		// there are few errors it may be one error off.
		var words float64
		for _, g := range groups {
			words += g.den
		}
		if far := max(0.04*width, 1.1/words); math.Abs(got.Lo-want.Lo) > far || math.Abs(got.Hi-want.Hi) > far {
			t.Errorf("%s: %v: want about %v", kind, got, want)
		}
	}
	for _, kind := range utteranceKinds {
		check(kind, 2_500)
	}
	check("few errors", 20_000)
	if expanded < 2 {
		t.Errorf("%d kinds were expanded", expanded)
	}
}

// The sum of 400 exponential values has the gamma distribution, a skewness of 0.1 and an
// excess kurtosis of 6/400.
func TestEdgeworthQuantile(t *testing.T) {
	t.Parallel()
	const n = 400
	sum := distuv.Gamma{Alpha: n, Beta: 1}
	for _, p := range []float64{0.005, 0.025, 0.5, 0.975, 0.995} {
		want := (sum.Quantile(p) - n) / math.Sqrt(n)
		if got := edgeworthQuantile(p, 0.1, 6.0/n); math.Abs(got-want) > 5e-4 {
			t.Errorf("quantile %v is %v: want %v", p, got, want)
		}
	}
}

// Few counts are resampled as ever, and a tally is what a list is.
func TestTallyIsPooledRatio(t *testing.T) {
	t.Parallel()
	for _, n := range []int{0, 1, 2, 50, resampledClusters, resampledClusters + 1} {
		groups := utterances(rand.New(rand.NewPCG(uint64(n), 2)), "even", n)
		var tally Tally
		var counts []Count
		for _, g := range groups {
			tally.Add(g.num, g.den)
			counts = append(counts, Count{Num: g.num, Den: g.den})
		}
		got, list := tally.Ratio(0.95, 7), PooledRatio(counts, Interval{0, math.MaxFloat64}, 0.95, 7)
		if (got == nil) != (n < 2) || (list == nil) != (n < 2) || got != nil && *got != *list {
			t.Errorf("%d: %v and %v", n, got, list)
		}
		if got != nil && fewResampled <= n && n <= resampledClusters && *got != *resampledRatio(groups, 0.95, 7) {
			t.Errorf("%d: %v is not the resampled interval", n, got)
		}
	}
}

func TestTallyEdges(t *testing.T) {
	t.Parallel()
	fill := func(num, den float64) *Tally {
		t := new(Tally)
		for range 3_000 {
			t.Add(num, den)
		}
		return t
	}
	for name, c := range map[string]struct {
		tally *Tally
		want  *Interval
	}{
		"all the same":  {fill(1, 4), nil},
		"no errors":     {fill(0, 4), nil},
		"nothing said":  {fill(0, 0), nil},
		"only invented": {fill(2, 0), nil},
		"not finite":    {fill(math.NaN(), 1), nil},
	} {
		got := c.tally.Ratio(0.95, 1)
		if (got == nil) != (c.want == nil) || got != nil && (math.Abs(got.Lo-c.want.Lo) > 1e-12 || math.Abs(got.Hi-c.want.Hi) > 1e-12) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
	if fill(1, 4).Ratio(1, 1) != nil {
		t.Error("an interval at level 1")
	}
}

// The interval holds the true rate about as often as its level says.
func TestTallyCoverage(t *testing.T) {
	t.Parallel()
	const trials = 1_000
	// The mean of a case's errors is a tenth of its words in "even".
	held := 0
	for i := range trials {
		var tally Tally
		for _, g := range utterances(rand.New(rand.NewPCG(uint64(i), 3)), "even", 2_001) {
			tally.Add(g.num, g.den)
		}
		if ci := tally.Ratio(0.95, 1); ci.Lo <= 0.1 && 0.1 <= ci.Hi {
			held++
		}
	}
	// Three standard errors of 95 % are 2.1 points.
	if share := float64(held) / trials; share < 0.929 || share > 0.971 {
		t.Errorf("%.3f hold the rate", share)
	}
}
