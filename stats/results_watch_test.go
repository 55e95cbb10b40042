//go:build results

package stats_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/assay-eval/assay/internal/require"
	"github.com/assay-eval/assay/stats"
)

// TestResultsWatch simulates how often the watch of production alarms without a
// reason, and after how many cases it alarms with one, and compares with
// docs/results/watch.md. Every draw has its own seed.
func TestResultsWatch(t *testing.T) {
	p := &watchPage{page: page{t: t}}
	for _, section := range []func(){p.falseAlarms, p.delays, p.learned, p.stakes, p.bounds, p.foot} {
		section()
	}
	// A draw that is rounded differently moves a count by one.
	require.ResultsPage(t, "watch.md", p.head()+p.String(), *update, number, 1)
}

// A watchPage is docs/results/watch.md as it is simulated.
type watchPage struct {
	page
	// What the summary repeats.
	shortest      float64
	early, missed []float64
	quick, late   string
	// found are delays with lines that were learned, of hits after a drop of 0.1
	// and of 0.2, by the number of earlier cases.
	found [2][]string
}

// A traffic is a source of scores whose mean can fall.
type traffic struct {
	name, note string
	mean, sd   float64
	draw       func(rng *rand.Rand, drop float64) float64
	// ratio is the logarithm of how much likelier a score is after the drop.
	ratio func(x, drop float64) float64
}

// Shares of the scores 1, 0.75, 0.5 and 0 of a rubric in quarters.
var rubric = []struct{ value, share float64 }{{1, 0.7}, {0.75, 0.2}, {0.5, 0.05}, {0, 0.05}}

const rubricMean = 0.7 + 0.75*0.2 + 0.5*0.05

var traffics = []traffic{
	{"hits", "0 or 1, 90 % are 1; after the drop fewer", 0.9, 0.3,
		func(rng *rand.Rand, drop float64) float64 {
			if rng.Float64() < 0.9-drop {
				return 1
			}
			return 0
		},
		func(x, drop float64) float64 {
			if x == 1 {
				return math.Log((0.9 - drop) / 0.9)
			}
			return math.Log((0.1 + drop) / 0.1)
		}},
	{"graded", "Beta(9, 1), mean 0.9 and standard deviation 0.09; after the drop Beta(a, 1) with the lower mean", 0.9, math.Sqrt(9. / 1100),
		func(rng *rand.Rand, drop float64) float64 { return math.Pow(rng.Float64(), 1/shape(drop)) },
		func(x, drop float64) float64 {
			return math.Log(shape(drop)/shape(0)) + (shape(drop)-shape(0))*math.Log(max(x, 1e-300))
		}},
	{"tied", "70 % are 1, 20 % 0.75, 5 % 0.5 and 5 % 0, mean 0.875; after the drop some, whatever they were, are 0", rubricMean,
		math.Sqrt(0.7 + 0.75*0.75*0.2 + 0.25*0.05 - rubricMean*rubricMean),
		func(rng *rand.Rand, drop float64) float64 {
			lost := rng.Float64() < drop/rubricMean
			u := rng.Float64()
			for _, r := range rubric {
				if u -= r.share; u < 0 {
					if lost {
						return 0
					}
					return r.value
				}
			}
			return 0
		},
		func(x, drop float64) float64 {
			lost := drop / rubricMean
			if x == 0 {
				return math.Log((0.05*(1-lost) + lost) / 0.05)
			}
			return math.Log(1 - lost)
		}},
}

// shape is a of Beta(a, 1) with the mean 0.9 − drop.
func shape(drop float64) float64 { return (0.9 - drop) / (0.1 + drop) }

// learn gives the mean, its interval and the spread of n earlier cases.
func (s traffic) learn(rng *rand.Rand, n int) (e stats.Estimate, sd float64) {
	list := make([]stats.Sample, n)
	var squares float64
	for i := range list {
		list[i].Value = s.draw(rng, 0)
		squares += list[i].Value * list[i].Value
	}
	e = stats.Mean(list, level)
	return e, math.Sqrt((squares/float64(n) - e.Mean*e.Mean) * float64(n) / float64(n-1))
}

// A rule takes scores and tells when it alarms.
type rule interface{ add(x float64) (alarm bool) }

type detector struct {
	stats.Drift
	arl float64
}

func detect(line, arl float64) rule {
	d, _ := stats.NewDrift(line)
	return &detector{d, arl}
}

func (d *detector) add(x float64) bool { d.Add(x); return d.Evidence() >= d.arl }

// A rolling mean of the last cases alarms when it is below a threshold.
type rolling struct {
	last  [50]float64
	n     int
	sum   float64
	below float64
}

func (r *rolling) add(x float64) bool {
	at := r.n % len(r.last)
	r.sum += x - r.last[at]
	r.last[at] = x
	r.n++
	return r.n >= len(r.last) && r.sum < float64(len(r.last))*r.below
}

// A repeated t test asks after each case from the 30th whether the mean of all is
// below the reference, one-sided at 5 %.
type repeated struct {
	n, mean, squares, reference float64
}

var critical = func() (c [1000]float64) {
	for df := 1; df < len(c); df++ {
		c[df] = distuv.StudentsT{Mu: 0, Sigma: 1, Nu: float64(df)}.Quantile(0.95)
	}
	return c
}()

func (r *repeated) add(x float64) bool {
	r.n++
	d := x - r.mean
	r.mean += d / r.n
	r.squares += d * (x - r.mean)
	if r.n < 30 || r.mean >= r.reference {
		return false
	}
	c := critical[min(int(r.n)-1, len(critical)-1)]
	gap := r.reference - r.mean
	return gap*gap*r.n > c*c*r.squares/(r.n-1)
}

// thousands writes a count with commas.
func thousands(n int) string {
	if n < 1000 {
		return strconv.Itoa(n)
	}
	return fmt.Sprintf("%s,%03d", thousands(n/1000), n%1000)
}

// falseAlarms writes how often scores that have not changed raise an alarm.
func (p *watchPage) falseAlarms() {
	const trials, last, arl, earlier, margin = 300, 40_000, 10_000, 200, 0.02
	p.say("\n## Alarms without a reason\n\n")
	p.say("Scores that do not change, %d runs of up to %s cases. *Run length* is the mean number of cases until the first alarm; runs "+
		"that end without one count %s, and the mean is then marked ≥. The detector alarms at an evidence of %s, which promises a run "+
		"length of at least %s, an alarm within 1,000 cases in at most 10 %% of runs, and nothing about 10,000 cases. The line is what "+
		"the mean should not fall below: *known* is the true mean itself, the hardest case; *learned* is the lower end of the 95 %% "+
		"interval of the mean of %d earlier cases less a margin of %.2f; *mean of %d* is their mean, with no allowance. Beside it what "+
		"is usual: the mean of the last 50 cases below the reference − 2 standard errors, and a one-sided t test at 5 %% of all cases so "+
		"far after every case from the 30th. Their reference is the known mean, or the mean and spread of the %d earlier cases.\n\n",
		trials, thousands(last), thousands(last), thousands(arl),
		thousands(arl), earlier, margin, earlier, earlier)
	for _, s := range traffics {
		p.say("- %s: %s\n", s.name, s.note)
	}
	p.say("\n| scores | rule | line or reference | within 1,000 cases | within 10,000 | run length |\n|---|---|---|---|---|---|\n")
	// from makes a rule of earlier cases, and roll one that alarms 2 standard errors of
	// 50 cases below a mean.
	from := func(s traffic, make func(e stats.Estimate, sd float64) rule) func(rng *rand.Rand) rule {
		return func(rng *rand.Rand) rule { return make(s.learn(rng, earlier)) }
	}
	roll := func(mean, sd float64) rule { return &rolling{below: mean - 2*sd/math.Sqrt(50)} }
	for k, s := range traffics {
		for m, row := range []struct {
			rule, line string
			promised   bool
			make       func(rng *rand.Rand) rule
		}{
			{"**detector**", "known", true, func(*rand.Rand) rule { return detect(s.mean, arl) }},
			{"**detector**", "learned", false, from(s, func(e stats.Estimate, _ float64) rule { return detect(e.CI.Lo-margin, arl) })},
			{"detector", fmt.Sprint("mean of ", earlier), false, from(s, func(e stats.Estimate, _ float64) rule { return detect(e.Mean, arl) })},
			{"rolling mean", "known", false, func(*rand.Rand) rule { return roll(s.mean, s.sd) }},
			{"rolling mean", "learned", false, from(s, func(e stats.Estimate, sd float64) rule { return roll(e.Mean, sd) })},
			{"t test", "known", false, func(*rand.Rand) rule { return &repeated{reference: s.mean} }},
			{"t test", "learned", false, from(s, func(e stats.Estimate, _ float64) rule { return &repeated{reference: e.Mean} })},
		} {
			var ends [trials]int
			parallel(trials, func(i int) {
				rng := rand.New(rand.NewPCG(uint64(6e8)+uint64(100*k+m), uint64(i)))
				r := row.make(rng)
				ends[i] = last + 1
				for n := 1; n <= last; n++ {
					if r.add(s.draw(rng, 0)) {
						ends[i] = n
						break
					}
				}
			})
			var early, later, ended int
			var total float64
			for _, n := range ends {
				total += float64(min(n, last))
				for _, c := range []struct {
					hits  *int
					until int
				}{{&early, 1000}, {&later, 10_000}, {&ended, last}} {
					if n <= c.until {
						*c.hits++
					}
				}
			}
			length, mark := total/trials, ""
			if ended < trials {
				mark = "≥ "
			}
			p.say("| %s | %s | %s | %s %% | %s %% | %s%s |\n", s.name, row.rule, row.line, percent(early, trials), percent(later, trials),
				mark, thousands(int(math.Round(length))))
			if m < 2 {
				p.goal("alarms within 1,000 cases, "+s.name+", "+row.line, early, trials, 0, 0.1)
				p.early = append(p.early, share(early, trials))
			}
			if row.promised {
				if length < arl {
					p.t.Errorf("%s: %.0f cases to a false alarm, want %d", s.name, length, arl)
				}
				if p.shortest == 0 || length < p.shortest {
					p.shortest = length
				}
			}
		}
	}
	p.say("\nWith the mean of earlier cases as the line the promise is void where they happened to be better than the rest: in half " +
		"of the runs the mean is below the line from the start. The lower end and the margin pay for that. The rolling mean and the t " +
		"test have no such promise to break: they look as often as cases come.\n")
}
