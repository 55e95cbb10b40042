package stats

import (
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mathext"
)

// The distributions that the tests need, by the incomplete beta and gamma functions.
// gonum's stat/distuv has them too, and links its linear algebra with them: 2 MB.
//
// Source of the identities: Abramowitz and Stegun, Handbook of Mathematical Functions,
// 26.2.29, 26.4.19, 26.5.24 and 26.5.27.

// TQuantile returns the p-quantile of Student's t distribution with df degrees of freedom,
// 0 < p < 1.
func TQuantile(p, df float64) float64 {
	tail := min(p, 1-p)
	x := mathext.InvRegIncBeta(df/2, 0.5, 2*tail)
	return math.Copysign(math.Sqrt(df*(1-x)/x), p-0.5)
}

// tSurvival is the probability that Student's t with df degrees of freedom exceeds t.
func tSurvival(t, df float64) float64 {
	tail := 0.5 * mathext.RegIncBeta(df/2, 0.5, df/(t*t+df))
	if t < 0 {
		return 1 - tail
	}
	return tail
}

func zQuantile(p float64) float64 { return mathext.NormalQuantile(p) }

// zSurvival is the probability that a standard normal variable exceeds z.
func zSurvival(z float64) float64 { return 0.5 * math.Erfc(z/math.Sqrt2) }

// betaQuantile returns the p-quantile of the beta distribution.
func betaQuantile(p, a, b float64) float64 { return mathext.InvRegIncBeta(a, b, p) }

// binomialCDF is the probability of at most k successes in n trials.
func binomialCDF(k, n int, p float64) float64 {
	switch {
	case k < 0:
		return 0
	case k >= n:
		return 1
	}
	return mathext.RegIncBeta(float64(n-k), float64(k+1), 1-p)
}

// binomialProb is the probability of exactly k successes in n trials, 0 ≤ k ≤ n, 0 < p < 1.
func binomialProb(k, n int, p float64) float64 {
	all, _ := math.Lgamma(float64(n + 1))
	yes, _ := math.Lgamma(float64(k + 1))
	no, _ := math.Lgamma(float64(n - k + 1))
	return math.Exp(all - yes - no + float64(k)*math.Log(p) + float64(n-k)*math.Log1p(-p))
}

// A binomialDraw draws numbers of successes, by a search in the cumulated probabilities:
// that of many draws from one distribution is faster than an algorithm without a table.
type binomialDraw struct {
	first int // number of successes of the first sum
	sums  []float64
}

// newBinomialDraw keeps the numbers of successes within twelve standard deviations of the
// mean and thirty more: the probability of the others is below the resolution of a random
// number.
func newBinomialDraw(n int, p float64) binomialDraw {
	switch {
	case p <= 0:
		return binomialDraw{}
	case p >= 1:
		return binomialDraw{first: n}
	}
	mean := float64(n) * p
	reach := 12*math.Sqrt(mean*(1-p)) + 30
	d := binomialDraw{first: max(0, int(mean-reach))}
	sum := 0.0
	for k := d.first; k <= min(n, int(mean+reach)); k++ {
		sum += binomialProb(k, n, p)
		d.sums = append(d.sums, sum)
	}
	return d
}

func (d binomialDraw) draw(rng *rand.Rand) int {
	if len(d.sums) == 0 {
		return d.first // nothing is left to chance
	}
	// The last sum is 1, but for rounding.
	at, _ := slices.BinarySearch(d.sums, rng.Float64()*d.sums[len(d.sums)-1])
	return d.first + at
}

// gammaCDF and gammaSurvival are the probabilities that a variable with the gamma
// distribution of the shape and scale 1 is at most x ≥ 0, and exceeds it.
func gammaCDF(x, shape float64) float64      { return mathext.GammaIncReg(shape, x) }
func gammaSurvival(x, shape float64) float64 { return mathext.GammaIncRegComp(shape, x) }
