//go:build results

package stats_test

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/assay-eval/assay/stats"
)

// holm corrects p-values by Holm's method, with which families are compared.
func holm(all []stats.Comparison) []float64 {
	order := make([]int, len(all))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(all[a].P, all[b].P) })
	out, worst := make([]float64, len(all)), 0.0
	for rank, i := range order {
		worst = max(worst, min(1, all[i].P*float64(len(all)-rank)))
		out[i] = worst
	}
	return out
}

// A lineup draws the metrics of a family and knows their true differences.
type lineup struct {
	name  string
	cases int
	// trials is how many families are drawn.
	trials int
	rho    float64
	// effects are those of the five metrics, in standard deviations.
	effects [5]float64
}

// draw draws five metrics: three graded, and two of hits. What the cases have in
// common has the correlation rho.
func (l lineup) draw(rng *rand.Rand) (metrics [][]stats.Pair, truth []float64) {
	metrics, truth = make([][]stats.Pair, 5), make([]float64, 5)
	const spread = 0.8
	for range l.cases {
		common := rng.NormFloat64()
		for m := range metrics {
			d := math.Sqrt(l.rho)*common + math.Sqrt(1-l.rho)*rng.NormFloat64() + l.effects[m]
			if m < 3 {
				metrics[m] = append(metrics[m], stats.Pair{New: d})
				continue
			}
			base, p := rng.NormFloat64(), stats.Pair{}
			if base > 0 {
				p.Old = 1
			}
			if base+spread*d > 0 {
				p.New = 1
			}
			metrics[m] = append(metrics[m], p)
		}
	}
	for m, e := range l.effects {
		truth[m] = e
		if m >= 3 {
			truth[m] = distuv.UnitNormal.CDF(spread*e/math.Sqrt(1+spread*spread)) - 0.5
		}
	}
	return metrics, truth
}

// runsDraw draws the differences of four runs from one baseline, which is the same
// system: exponential scores, which are far from symmetrical.
func runsDraw(cases int, rng *rand.Rand) [][]stats.Pair {
	out := make([][]stats.Pair, 4)
	for range cases {
		old := rng.ExpFloat64()
		for m := range out {
			out[m] = append(out[m], stats.Pair{Old: old, New: rng.ExpFloat64()})
		}
	}
	return out
}

// outcome is what a family did.
type outcome struct {
	wrong, wrongHolm, covered bool
	found, foundHolm, real    int
}

func judged(all []stats.Comparison, truth []float64) outcome {
	o := outcome{covered: true}
	byHolm := holm(all)
	for m, c := range all {
		shown, was := c.PAdjusted < alpha, byHolm[m] < alpha
		if truth[m] == 0 {
			o.wrong, o.wrongHolm = o.wrong || shown, o.wrongHolm || was
		} else {
			o.real++
			if shown {
				o.found++
			}
			if was {
				o.foundHolm++
			}
		}
		if c.CI == nil || !c.CI.Contains(truth[m]) {
			o.covered = false
		}
	}
	return o
}

// families writes how often a family of metrics errs, and what it finds.
func (p *page) families() {
	p.say("\n## Several metrics: is any called different without cause, and do all intervals hold?\n\n")
	p.say("Five metrics over the same cases, three of them graded and two of hits, whose differences have a correlation (before they are " +
		"cut to hits). Share in %% of families in which any metric without a difference is called different (familywise error), in which " +
		"all five intervals hold their true differences (simultaneous coverage), and of the differences there are that are shown " +
		"(power), beside the same of Holm's method. Those that differ do so by 0.9 standard deviations with 12 cases, by 0.35 " +
		"with 100; of two, one is graded and one of hits. **Goal: at most 5 %% familywise error, and 95 %% coverage " +
		"at least, within three standard errors.** With 12 cases 1000 families, where one standard error of 5 %% is 0.7; with 100 cases " +
		"100, where it is 2.2.\n\n")
	p.say("| differences | correlation | cases | **familywise error** | Holm | **simultaneous coverage** | **power** | Holm |\n" +
		"|---|---|---|---|---|---|---|---|\n")
	var lineups []lineup
	for _, n := range []struct {
		cases, trials int
		effect        float64
	}{{12, 1000, 0.9}, {100, 100, 0.35}} {
		for _, rho := range []float64{0, 0.5, 0.9} {
			e := n.effect
			lineups = append(lineups, lineup{"none", n.cases, n.trials, rho, [5]float64{}},
				lineup{"two of five", n.cases, n.trials, rho, [5]float64{e, 0, 0, e, 0}})
			if n.cases == 12 {
				lineups = append(lineups, lineup{"all", n.cases, n.trials, rho, [5]float64{e, e, e, e, e}})
			}
		}
	}
	for i, l := range lineups {
		p.family(l.name, fmt.Sprintf("%.1f", l.rho), l.cases, l.trials, func(rng *rand.Rand) ([][]stats.Pair, []float64) { return l.draw(rng) },
			uint64(100+i))
	}
	for i, n := range []int{12, 14} {
		p.family("none, four runs", "0.5", n, 1000, func(rng *rand.Rand) ([][]stats.Pair, []float64) {
			return runsDraw(n, rng), make([]float64, 4)
		}, uint64(200+i))
	}
	p.say("\nThe last two rows: four runs of one system, compared with a fifth, by exponential scores. They share their baseline, so that " +
		"exchanging two runs does not exchange the others, and the test is not exact. With 12 cases the mid-p of hits, and intervals " +
		"whose end is moved to 0 because a later step shows the difference, cost up to about two points.\n")
}

// skewed writes how often three metrics err whose differences are skewed around a mean of 0, which
// no tosses of coins are right about.
func (p *page) skewed() {
	const trials, metrics = 500, 3
	p.say("\n### Skewed differences\n\n")
	p.say("Three metrics without a difference, independent of each other, whose differences are skewed around a mean of 0: share in %% of "+
		"%d families in which any metric is called different, and in which all three intervals hold 0; one standard error of 5 %% is 1.0. "+
		"There is no goal: the test assumes that it makes no difference which run is which, and here it does.\n\n", trials)
	p.say("| differences | cases | **familywise error** | **simultaneous coverage** |\n|---|---|---|---|\n")
	for i, kind := range []struct {
		name string
		draw func(*rand.Rand) float64
	}{
		{"exponential less 1", func(rng *rand.Rand) float64 { return rng.ExpFloat64() - 1 }},
		{"lognormal less its mean", func(rng *rand.Rand) float64 { return math.Exp(rng.NormFloat64()) - math.Exp(0.5) }},
		{"0 to 0.1, and one of ten a loss of 0 to 0.9", func(rng *rand.Rand) float64 {
			if rng.Float64() < 0.1 {
				return -0.9 * rng.Float64()
			}
			return 0.1 * rng.Float64()
		}},
	} {
		for j, cases := range []int{12, 50} {
			outcomes := make([]outcome, trials)
			parallel(trials, func(k int) {
				rng, seed := rand.New(rand.NewPCG(uint64(300+10*i+j), uint64(k))), uint64(k)
				all := make([][]stats.Pair, metrics)
				for m := range all {
					for range cases {
						all[m] = append(all[m], stats.Pair{New: kind.draw(rng)})
					}
				}
				outcomes[k] = judged(stats.CompareTogether(stats.SignFlip, all, 0.95, seed), make([]float64, metrics))
			})
			wrong, covered := 0, 0
			for _, o := range outcomes {
				if o.wrong {
					wrong++
				}
				if o.covered {
					covered++
				}
			}
			p.say("| %s | %d | **%s** | **%s** |\n", kind.name, cases, percent(wrong, trials), percent(covered, trials))
		}
	}
}

func (p *page) family(name, rho string, cases, trials int, draw func(*rand.Rand) ([][]stats.Pair, []float64), seed uint64) {
	outcomes := make([]outcome, trials)
	parallel(trials, func(i int) {
		metrics, truth := draw(rand.New(rand.NewPCG(seed, uint64(i))))
		outcomes[i] = judged(stats.CompareTogether(stats.SignFlip, metrics, 0.95, seed), truth)
	})
	var wrong, wrongHolm, covered, found, foundHolm, real int
	for _, o := range outcomes {
		for _, x := range []struct {
			is    bool
			count *int
		}{{o.wrong, &wrong}, {o.wrongHolm, &wrongHolm}, {o.covered, &covered}} {
			if x.is {
				*x.count++
			}
		}
		found, foundHolm, real = found+o.found, foundHolm+o.foundHolm, real+o.real
	}
	power := [2]string{"–", "–"}
	if real > 0 {
		power = [2]string{percent(found, real), percent(foundHolm, real)}
	}
	p.say("| %s | %s | %d | **%s** | %s | **%s** | **%s** | %s |\n", name, rho, cases, percent(wrong, trials), percent(wrongHolm, trials),
		percent(covered, trials), power[0], power[1])
	if real == 0 {
		p.familywise = append(p.familywise, share(wrong, trials))
	}
	p.simultaneous = append(p.simultaneous, share(covered, trials))
	room := 3 * math.Sqrt(alpha*(1-alpha)/float64(trials))
	what := fmt.Sprintf("%s, correlation %s, %d cases", name, rho, cases)
	p.goal(what+": familywise error", wrong, trials, 0, alpha+room)
	p.goal(what+": simultaneous coverage", covered, trials, 0.95-room, 1)
}
