//go:build results

package stats_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/assay-eval/assay/internal/requiretest"
	"github.com/assay-eval/assay/stats"
)

// TestResultsBounds simulates how often the interval that holds at all looks ever misses, and
// compares with docs/results/bounds.md. Every draw has its own seed.
func TestResultsBounds(t *testing.T) {
	p := &boundsPage{page: page{t: t}}
	p.bounds()
	p.say("\n## Write this page again\n\n```\ngo test -tags results -run TestResultsBounds ./stats -update\n```\n")
	// A draw that is rounded differently moves a count by one.
	requiretest.ResultsPage(t, "bounds.md", p.head()+p.String(), *update, number, 1)
}

// A boundsPage is docs/results/bounds.md as it is simulated.
type boundsPage struct {
	page
	// missed is what the summary repeats.
	missed []float64
}

// head is the beginning of the page, with what it comes to.
func (p *boundsPage) head() string {
	return "# The interval at all looks\n\n" +
		"This page is written by the command at its end, which simulates; CI runs it too and fails when a figure differs from this " +
		"page by more than 1 or leaves its goal. All draws are seeded.\n\n" +
		"`assay run --verbose` prints the mean so far with an interval that holds at every look together, at every number of cases and " +
		"for every distribution of scores between 0 and 1; the formulas are those of `Bounds` in the package `stats`. Looked at after " +
		fmt.Sprintf("every case, it ever misses in %s of runs (promised: at most 5 %%), also from the first case on and where failures "+
			"are rare.\n", span(p.missed))
}

// Shares of the scores 1, 0.75, 0.5 and 0 of a rubric in quarters.
var rubric = []struct{ value, share float64 }{{1, 0.7}, {0.75, 0.2}, {0.5, 0.05}, {0, 0.05}}

const rubricMean = 0.7 + 0.75*0.2 + 0.5*0.05

func graded(rng *rand.Rand, _ int) (x, mean float64) { return math.Pow(rng.Float64(), 1./9), 0.9 }

func tied(rng *rand.Rand, _ int) (x, mean float64) {
	_ = rng.Float64() // the seeds of the page rest on it
	u := rng.Float64()
	for _, r := range rubric {
		if u -= r.share; u < 0 {
			return r.value, rubricMean
		}
	}
	return 0, rubricMean
}

// thousands writes a count with commas.
func thousands(n int) string {
	if n < 1000 {
		return strconv.Itoa(n)
	}
	return fmt.Sprintf("%s,%03d", thousands(n/1000), n%1000)
}

// A stream has a mean for each case.
type stream struct {
	name string
	draw func(rng *rand.Rand, n int) (x, mean float64)
}

func bernoulli(p float64) stream {
	return stream{fmt.Sprintf("hits, %.0f %% are 1", 100*p), func(rng *rand.Rand, _ int) (float64, float64) {
		if rng.Float64() < p {
			return 1, p
		}
		return 0, p
	}}
}

func allStreams() []stream {
	before, after := bernoulli(0.95), bernoulli(0.75)
	return []stream{
		bernoulli(0.5), bernoulli(0.9), bernoulli(0.95), bernoulli(0.99), {"graded", graded}, {"tied", tied},
		{"hits, 95 % and from case 1,001 on 75 %", func(rng *rand.Rand, n int) (float64, float64) {
			if n > 1000 {
				return after.draw(rng, n)
			}
			return before.draw(rng, n)
		}},
	}
}

// spread is the mean and standard deviation of scores, by Welford's updates.
type spread struct{ n, mean, squares float64 }

func (s *spread) add(x float64) {
	s.n++
	d := x - s.mean
	s.mean += d / s.n
	s.squares += d * (x - s.mean)
}

func (s *spread) sd() float64 { return math.Sqrt(s.squares / (s.n - 1)) }

// bounds writes how often the interval that is shown ever misses, and its width.
func (p *boundsPage) bounds() {
	const trials, last, first = 500, 2000, 30
	rho, _ := stats.ConfidenceSequenceRho(300, alpha)
	z := math.Sqrt2 * math.Erfinv(1-alpha) // of one look
	p.say("\nAn interval at 95 %% beside the mean is looked at after every case. %d runs of %s cases; share in %% in which it ever "+
		"misses the average of the means so far (the mean itself, where it does not move). *One look* is mean ± %.2f standard errors and "+
		"*asymptotic* the confidence sequence by the measured spread (narrowest at 300 cases), both from the %dth case on; *bounds* is "+
		"the one of `assay run --verbose`, from the first case on. *Graded* is Beta(9, 1); *tied* has 70 %% 1, 20 %% 0.75, 5 %% 0.5 and "+
		"5 %% 0. **Goal for bounds: 5 at most**, for every "+
		"distribution.\n\n| scores | one look | asymptotic | **bounds** |\n|---|---|---|---|\n",
		trials, thousands(last), z, first)
	for k, s := range allStreams() {
		var plain, sequence [trials]bool
		missed := count(trials, func(i int) (bounds bool) {
			rng := rand.New(rand.NewPCG(uint64(11e8)+uint64(k), uint64(i)))
			var b stats.Bounds
			var w spread
			var means float64
			for n := 1; n <= last; n++ {
				x, mean := s.draw(rng, n)
				means += mean
				truth := means / float64(n)
				b.Add(x)
				w.add(x)
				bounds = bounds || b.Misses(truth, alpha)
				if n < first {
					continue
				}
				gap := math.Abs(w.mean - truth)
				half, ok := stats.ConfidenceSequence(n, w.sd(), alpha, rho)
				// Sums of many numbers are not exact.
				sequence[i] = sequence[i] || ok && gap > half+1e-9
				plain[i] = plain[i] || gap > z*w.sd()/math.Sqrt(float64(n))+1e-9
			}
			return bounds
		})
		tally := func(list [trials]bool) (n int) {
			for _, on := range list {
				if on {
					n++
				}
			}
			return n
		}
		p.say("| %s | %s | %s | **%s** |\n",
			s.name, percent(tally(plain), trials), percent(tally(sequence), trials), percent(missed, trials))
		p.goal("bounds, "+s.name, missed, trials, 0, 0.05)
		p.missed = append(p.missed, share(missed, trials))
	}
	p.say("\nThirty cases without a failure have no spread, so that the asymptotic sequence has no width: with rare failures it is "+
		"wrong in most runs, and its guarantee is for many cases only. It is narrower, and needs no range of the scores. Their half "+
		"widths, mean of %d runs:\n\n", widths)
	p.say("| scores | cases | one look | asymptotic | **bounds** |\n|---|---|---|---|---|\n")
	for k, s := range allStreams() {
		if k == 0 || k > 5 {
			continue
		}
		for m, n := range []int{30, 200, 1000, 10_000} {
			plain, sequence, bounds := halves(s, n, rho, z, uint64(12e8)+uint64(100*k+m))
			p.say("| %s | %s | %.3f | %.3f | **%.3f** |\n", s.name, thousands(n), plain, sequence, bounds)
		}
	}
	p.say("\nThe bounds take in a moving mean, so that no interval of another time may be intersected with them: one that is narrower " +
		"because it once was is about the mean of that time.\n")
}

// widths is the number of runs over which widths are averaged.
const widths = 20

// halves gives the mean half widths after n cases.
func halves(s stream, n int, rho, z float64, seed uint64) (plain, sequence, bounds float64) {
	for i := range uint64(widths) {
		rng := rand.New(rand.NewPCG(seed, i))
		var b stats.Bounds
		var w spread
		for k := 1; k <= n; k++ {
			x, _ := s.draw(rng, k)
			b.Add(x)
			w.add(x)
		}
		half, _ := stats.ConfidenceSequence(n, w.sd(), alpha, rho)
		ci, _ := b.Interval(alpha)
		plain += z * w.sd() / math.Sqrt(float64(n)) / widths
		sequence += half / widths
		bounds += ci.Half() / widths
	}
	return plain, sequence, bounds
}
