//go:build results

package stats_test

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/assay-eval/assay/stats"
)

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

func steady(s traffic) stream {
	return stream{s.name, func(rng *rand.Rand, _ int) (float64, float64) { return s.draw(rng, 0), s.mean }}
}

func allStreams() []stream {
	before, after := bernoulli(0.95), bernoulli(0.75)
	return []stream{
		bernoulli(0.5), bernoulli(0.9), bernoulli(0.95), bernoulli(0.99), steady(traffics[1]), steady(traffics[2]),
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
func (p *watchPage) bounds() {
	const trials, last, first = 500, 2000, 30
	rho, _ := stats.ConfidenceSequenceRho(300, alpha)
	z := stats.MDE(1, 1, alpha, 0.5) // z of one look: a power of a half adds nothing
	p.say("\n## The interval that is shown\n\n")
	p.say("An interval at 95 %% beside the mean is looked at after every case. %d runs of %s cases; share in %% in which it ever "+
		"misses the average of the means so far (the mean itself, where it does not move). *One look* is mean ± %.2f standard errors and "+
		"*asymptotic* the confidence sequence by the measured spread (narrowest at 300 cases), both from the %dth case on; *bounds* is "+
		"the one that the watch shows, and `assay run --verbose`, from the first case on. **Goal for bounds: 5 at most**, for every "+
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
