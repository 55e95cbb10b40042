//go:build results

package stats_test

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/assay-eval/assay/stats"
)

// A population has a known mean, in clusters of the same size.
type population struct {
	name, note string
	mean       float64
	size       int
	undeclared bool
	cluster    func(rng *rand.Rand, values []float64)
}

func each(draw func(rng *rand.Rand) float64) func(rng *rand.Rand, values []float64) {
	return func(rng *rand.Rand, values []float64) {
		for i := range values {
			values[i] = draw(rng)
		}
	}
}

// kin values of a cluster share half of their variance.
func kin(rng *rand.Rand, values []float64) {
	shared := 0.2 * rng.NormFloat64()
	for i := range values {
		values[i] = 0.1 + shared + 0.2*rng.NormFloat64()
	}
}

var populations = []population{
	{"normal", "mean 0.1, sd 0.25", 0.1, 1, false, each(func(rng *rand.Rand) float64 { return 0.1 + 0.25*rng.NormFloat64() })},
	{"skewed", "exponential, mean 1", 1, 1, false, each((*rand.Rand).ExpFloat64)},
	{"mostly 0", "70 % are 0, the others normal with mean 0.1 and sd 0.3", 0.03, 1, false, each(func(rng *rand.Rand) float64 {
		if rng.Float64() < 0.7 {
			return 0
		}
		return 0.1 + 0.3*rng.NormFloat64()
	})},
	{"rare losses", "90 % are 0, 8 % gain 0.1, 2 % lose 1", 0.08*0.1 - 0.02, 1, false, each(func(rng *rand.Rand) float64 {
		switch u := rng.Float64(); {
		case u < 0.90:
			return 0
		case u < 0.98:
			return 0.1
		}
		return -1
	})},
	{"hits", "0 or 1, 90 % are 1", 0.9, 1, false, each(func(rng *rand.Rand) float64 {
		if rng.Float64() < 0.9 {
			return 1
		}
		return 0
	})},
	{"clusters of 5", "half of the variance is shared in a cluster", 0.1, 5, false, kin},
	{"clusters, not declared", "the same, handed over as if independent", 0.1, 5, true, kin},
}

const methods = 2

// covered tells which intervals of n values hold the mean.
func (q population) covered(n int, lists [][]stats.Sample, seed uint64) (held [methods]int) {
	pairs := make([][]stats.Pair, len(lists))
	for i, list := range lists {
		for _, s := range list {
			pairs[i] = append(pairs[i], stats.Pair{New: s.Value, Cluster: s.Cluster})
		}
	}
	note := func(k int, ci *stats.Interval) {
		if ci != nil && ci.Contains(q.mean) {
			held[k]++
		}
	}
	for i, c := range stats.CompareAll(pairs, level, seed) {
		note(0, stats.Mean(lists[i], level).CI)
		note(1, c.CI)
	}
	return held
}

// coverage writes how often an interval at 95 % holds the truth.
func (p *page) coverage() {
	const trials, together = 300, 12
	p.say("\n## Intervals: does one at 95 %% hold the truth 95 times in 100?\n\n")
	p.say("%d simulated samples of each kind, share in %% whose interval holds the true mean; one standard error is 1.3. An interval "+
		"that cannot be given counts as one that misses. Mean is what every table prints (Wilson's interval for hits, that of a bounded mean for other values in 0…1, "+
		"Student's t corrected for skewness elsewhere), Compare the interval of the values as differences (the inverted sign-flip "+
		"test, or that of a bounded mean where all values are 0 or 1).\n\n", trials)
	for _, q := range populations {
		p.say("- %s: %s\n", q.name, q.note)
	}
	p.say("\n| values | cases | Mean | Compare |\n|---|---|---|---|\n")
	for k, q := range populations {
		for _, n := range []int{30, 200} {
			seed := uint64(1e8) + uint64(1e4*k+n)
			parts := make([][methods]int, trials/together)
			parallel(len(parts), func(part int) {
				var lists [][]stats.Sample
				for i := range together {
					rng := rand.New(rand.NewPCG(seed, uint64(part*together+i)))
					list := make([]stats.Sample, 0, n)
					values := make([]float64, q.size)
					for c := 0; len(list) < n; c++ {
						q.cluster(rng, values)
						for _, v := range values {
							s := stats.Sample{Value: v}
							if q.size > 1 && !q.undeclared {
								s.Cluster = fmt.Sprint(c)
							}
							list = append(list, s)
						}
					}
					lists = append(lists, list)
				}
				parts[part] = q.covered(n, lists, seed+uint64(part*together))
			})
			var held [methods]int
			for _, part := range parts {
				for m, h := range part {
					held[m] += h
				}
			}
			p.say("| %s | %d |", q.name, n)
			for _, h := range held {
				p.say(" %s |", percent(h, trials))
			}
			p.say("\n")
			if q.name == "normal" {
				p.goal(fmt.Sprint("coverage of Mean, normal, ", n), held[0], trials, 0.91, 0.99)
				p.goal(fmt.Sprint("coverage of Compare, normal, ", n), held[1], trials, 0.91, 0.99)
			}
		}
	}
	p.say("\nClusters that are declared are paid for with width and hold; clusters that are not make every interval a promise that it " +
		"does not keep. Compare is for differences: on plain hits Mean has the better interval, Wilson's. Where losses are rare, no method " +
		"knows of those that are not in the sample: use more cases, and limit `new_total_losses`.\n")
	p.means()
	p.hits()
	p.powered()
}

// powered writes the coverage of what labels of people correct.
func (p *page) powered() {
	const trials, truth, rest = 2000, 0.6, 1000
	p.say("\n### Labels of people and a judge (PPI)\n\n")
	p.say("People pass 60 %% of answers; the judge passes 85 %% of these and 40 %% of the others, so that its mean alone is 0.67. "+
		"Labelled samples beside %d judged ones, %d times; share in %% whose 95 %% interval holds 0.60, and the mean width of the interval. "+
		"As in `assay judge calibrate`.\n\n", rest, trials)
	p.say("| labels | PPI | width | labels alone | width | judge alone |\n|---|---|---|---|---|---|\n")
	for _, n := range []int{30, 60, 200} {
		var widths, human [trials]float64
		var alone, judged [trials]bool
		held := count(trials, func(i int) bool {
			rng := rand.New(rand.NewPCG(uint64(2e8)+uint64(n), uint64(i)))
			one := func() (person, judge float64) {
				pass := 0.40
				if rng.Float64() < truth {
					person, pass = 1, 0.85
				}
				if rng.Float64() < pass {
					judge = 1
				}
				return person, judge
			}
			var all []stats.Judged
			var labels, others []stats.Sample
			for range n {
				person, judge := one()
				all = append(all, stats.Judged{Human: &person, Judge: judge})
				labels = append(labels, stats.Sample{Value: person})
			}
			for range rest {
				_, judge := one()
				all = append(all, stats.Judged{Judge: judge})
				others = append(others, stats.Sample{Value: judge})
			}
			r, err := stats.Correct(all, stats.CorrectOptions{Level: level, Range: &stats.Interval{Lo: 0, Hi: 1}})
			people, machine := stats.Mean(labels, level), stats.Mean(others, level)
			alone[i], judged[i] = people.CI.Contains(truth), machine.CI.Contains(truth)
			widths[i], human[i] = 2*r.CI.Half(), 2*people.CI.Half()
			return err == nil && r.CI.Contains(truth)
		})
		var width, wide float64
		var people, machine int
		for i := range trials {
			width, wide = width+widths[i]/trials, wide+human[i]/trials
			if alone[i] {
				people++
			}
			if judged[i] {
				machine++
			}
		}
		p.say("| %d | %s | %.3f | %s | %.3f | %s |\n", n, percent(held, trials), width, percent(people, trials), wide, percent(machine, trials))
		p.goal(fmt.Sprintf("coverage of PPI with %d labels", n), held, trials, 0.92, 0.98)
	}
}

// walk is a source of differences with the mean 0.
type walk struct {
	name string
	draw func(rng *rand.Rand) float64
}

var walks = []walk{
	{"normal", func(rng *rand.Rand) float64 { return 0.25 * rng.NormFloat64() }},
	{"mostly 0", func(rng *rand.Rand) float64 {
		if rng.Float64() < 0.7 {
			return 0
		}
		return 0.3 * rng.NormFloat64()
	}},
	{"lopsided", func(rng *rand.Rand) float64 { return lopsided(rng)().New }},
}

// looks writes what looking early costs.
func (p *page) looks() {
	const trials, last, first, patient = 2000, 1000, 30, 200
	rho, _ := stats.ConfidenceSequenceRho(300, alpha)
	p.say("\n## Looking early: what does it cost?\n\n")
	p.say("%d runs of 1,000 cases without a difference, in random order. A run is wrong when any look at it finds one. In %%: with an "+
		"interval for one look taken after every case from the 30th; with the confidence sequence (narrowest at 300 cases) after every "+
		"case, and after every case from the %dth. **Goal for the sequence: 7 at most**, where cases are near to normal or mostly 0.\n\n",
		trials, patient)
	p.say("| differences | plain, every case | **sequence, every case** | sequence, late |\n|---|---|---|---|\n")
	z := math.Sqrt2 * math.Erfinv(1-alpha) // of one look
	for k, w := range walks {
		var plain, late [trials]bool
		wrong := count(trials, func(i int) bool {
			rng := rand.New(rand.NewPCG(uint64(3e8)+uint64(k), uint64(i)))
			missed := false
			var mean, squares float64
			for n := 1; n <= last; n++ {
				// Welford's updates.
				v := w.draw(rng)
				d := v - mean
				mean += d / float64(n)
				squares += d * (v - mean)
				if n < first {
					continue
				}
				sd := math.Sqrt(squares / float64(n-1))
				score := math.Abs(mean) * math.Sqrt(float64(n))
				plain[i] = plain[i] || score > z*sd
				if half, ok := stats.ConfidenceSequence(n, sd, alpha, rho); ok && math.Abs(mean) > half {
					missed = true
					late[i] = late[i] || n >= patient
				}
			}
			return missed
		})
		tally := func(list [trials]bool) (n int) {
			for _, on := range list {
				if on {
					n++
				}
			}
			return n
		}
		p.say("| %s | %s | **%s** | %s |\n", w.name, percent(tally(plain), trials), percent(wrong, trials), percent(tally(late), trials))
		if w.name != "lopsided" {
			p.sequence = append(p.sequence, share(wrong, trials))
			p.goal("sequence, "+w.name, wrong, trials, 0, 0.07)
		}
	}
	p.say("\nThe lopsided differences are those of the second table: with small gains and rare losses the first thirty cases may hold no " +
		"loss, and no rule for looking mends that. Look late there, or once.\n")
}
