package stats

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"
)

// near fails unless got is want to the relative error.
func near(t *testing.T, what string, got, want, rel float64) {
	t.Helper()
	if math.Abs(got-want) > rel*math.Abs(want)+1e-15 {
		t.Errorf("%s is %v: want %v", what, got, want)
	}
}

// Values of printed tables: Student's t with 10 degrees of freedom has the quantile 2.228 at
// 97.5 %, the normal distribution 1.960; 3 of 5 throws of a coin or fewer have 26/32.
func TestDistributionsByHand(t *testing.T) {
	t.Parallel()
	near(t, "t quantile", TQuantile(0.975, 10), 2.2281388519862735, 1e-12)
	near(t, "t quantile of the other tail", TQuantile(0.025, 10), -2.2281388519862735, 1e-12)
	near(t, "t quantile of the middle", TQuantile(0.5, 10), 0, 0)
	near(t, "t survival", tSurvival(2.2281388519862735, 10), 0.025, 1e-12)
	near(t, "t survival below 0", tSurvival(-2.2281388519862735, 10), 0.975, 1e-12)
	near(t, "normal quantile", zQuantile(0.975), 1.959963984540054, 1e-12)
	near(t, "normal survival", zSurvival(1.959963984540054), 0.025, 1e-12)
	near(t, "normal survival far out", zSurvival(10), 7.619853024160525e-24, 1e-9)
	near(t, "at most 3 of 5", binomialCDF(3, 5, 0.5), 26.0/32, 1e-12)
	near(t, "exactly 3 of 5", binomialProb(3, 5, 0.5), 10.0/32, 1e-12)
	near(t, "at most −1 of 5", binomialCDF(-1, 5, 0.5), 0, 0)
	near(t, "at most 5 of 5", binomialCDF(5, 5, 0.5), 1, 0)
	// The gamma distribution of shape 1 is exponential; beta(2, 1) is the larger of two.
	near(t, "gamma", gammaCDF(1, 1), 1-math.Exp(-1), 1e-12)
	near(t, "gamma survival", gammaSurvival(1, 1), math.Exp(-1), 1e-12)
	near(t, "beta", betaQuantile(0.25, 2, 1), 0.5, 1e-12)
}

func TestDistributionsAreGonums(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 2))
	for range 2_000 {
		p, df, x := rng.Float64(), 1+100*rng.Float64(), 12*rng.Float64()-6
		student := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: df}
		near(t, "t quantile", TQuantile(p, df), student.Quantile(p), 1e-9)
		near(t, "t survival", tSurvival(x, df), student.Survival(x), 1e-12)
		n := 1 + rng.IntN(500)
		k := rng.IntN(n + 1)
		b := distuv.Binomial{N: float64(n), P: p}
		near(t, "binomial sum", binomialCDF(k, n, p), b.CDF(float64(k)), 1e-12)
		near(t, "binomial probability", binomialProb(k, n, p), b.Prob(float64(k)), 1e-9)
	}
}

// Draws have the probabilities of the distribution: Pearson's statistic of 100,000 draws
// lies below its quantile at 99.9 %.
func TestBinomialDraw(t *testing.T) {
	t.Parallel()
	const draws = 100_000
	for _, c := range []struct {
		n int
		p float64
	}{{10, 0.3}, {10_000, 0.001}, {100_000, 0.004}, {500, 0.97}} {
		d, rng, counts := newBinomialDraw(c.n, c.p), rand.New(rand.NewPCG(3, 4)), map[int]float64{}
		for range draws {
			counts[d.draw(rng)]++
		}
		statistic, classes, rest, seen := 0.0, 0, float64(draws), float64(draws)
		for k := range c.n + 1 {
			want := draws * binomialProb(k, c.n, c.p)
			if want < 20 {
				continue
			}
			statistic += (counts[k] - want) * (counts[k] - want) / want
			classes, rest, seen = classes+1, rest-want, seen-counts[k]
		}
		statistic += (seen - rest) * (seen - rest) / max(1, rest)
		if most := (distuv.ChiSquared{K: float64(classes)}).Quantile(0.999); statistic > most {
			t.Errorf("n %d, p %v: the statistic of %d classes is %v: want at most %v", c.n, c.p, classes, statistic, most)
		}
	}
	for p, want := range map[float64]int{0: 0, 1: 7} {
		if got := newBinomialDraw(7, p).draw(rand.New(rand.NewPCG(1, 1))); got != want {
			t.Errorf("of 7 trials with p = %v %d succeed: want %d", p, got, want)
		}
	}
}
