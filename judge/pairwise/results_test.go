//go:build results

package pairwise_test

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/sync/errgroup"

	"github.com/assay-eval/assay/internal/requiretest"
	"github.com/assay-eval/assay/stats"
)

var update = flag.Bool("update", false, "write docs/results/pairwise.md")

// simulations is how often each setting is simulated.
const simulations = 1000

// A page is docs/results/pairwise.md while it is written.
type page struct {
	strings.Builder
	t *testing.T
}

func (p *page) say(form string, args ...any) { fmt.Fprintf(p, form, args...) }

// goal fails the test if a share is not between two bounds.
func (p *page) goal(what string, share, lo, hi float64) {
	if share < lo || share > hi {
		p.t.Errorf("%s: %.3f: want %.3f to %.3f", what, share, lo, hi)
	}
}

// A world has systems with planted qualities, judged by a model with a liking for a place.
type world struct {
	name    string
	quality []float64
	// bias is added to the answer that is read first; near is the difference up to which the
	// judge prefers neither.
	bias, near float64
	cases      int
	// size is the number of cases of a cluster, which share half of what differs from case to
	// case.
	size int
}

// draw judges every pair of systems on every case.
func (w world) draw(rng *rand.Rand, cases int) (pairs, places [][]stats.Outcome) {
	k := len(w.quality)
	pairs, places = make([][]stats.Outcome, k*(k-1)/2), make([][]stats.Outcome, k*(k-1)/2)
	common := make([]float64, k)
	for c := range cases {
		own := make([]float64, k)
		for s := range own {
			if c%w.size == 0 {
				common[s] = rng.NormFloat64()
			}
			own[s] = w.quality[s] + rng.NormFloat64()
			if w.size > 1 {
				own[s] = w.quality[s] + 0.71*common[s] + 0.71*rng.NormFloat64()
			}
		}
		rule := func(first, second float64) float64 {
			switch d := first - second + w.bias + 0.5*rng.NormFloat64(); {
			case d > w.near:
				return 1
			case d < -w.near:
				return -1
			}
			return 0
		}
		o := stats.Outcome{Case: fmt.Sprint(c)}
		if w.size > 1 {
			o.Cluster = fmt.Sprint("g", c/w.size)
		}
		at := 0
		for i := range k {
			for j := i + 1; j < k; j++ {
				there, back := rule(own[i], own[j]), rule(own[j], own[i])
				one := o
				one.Value = (back - there) / 2
				pairs[at] = append(pairs[at], one)
				one.Value = (there + back) / 2
				places[at] = append(places[at], one)
				at++
			}
		}
	}
	return pairs, places
}

// A tally counts what held in the simulations of a world.
type tally struct{ rate, all, bias, shown, naive, swapped int }

func (w world) simulate(t *testing.T) (sum tally) {
	rng := rand.New(rand.NewPCG(1, 2))
	const many = 60_000
	pairs, places := w.draw(rng, many)
	truth := func(list []stats.Outcome) (mean float64) {
		for _, o := range list {
			mean += o.Value / float64(len(list))
		}
		return mean
	}
	var g errgroup.Group
	tallies := make([]tally, simulations)
	g.SetLimit(2)
	for run := range simulations {
		g.Go(func() error {
			rng := rand.New(rand.NewPCG(uint64(run), 3))
			found, where := w.draw(rng, w.cases)
			x := &tallies[run]
			all, rate := true, 0.
			for i, r := range stats.WinRates(found, 0.95, 1) {
				held := r.CI != nil && r.CI.Contains((1+truth(pairs[i]))/2)
				all = all && held
				if i == 0 {
					x.rate, x.shown, rate = yes(held), yes(r.Shown()), r.Rate
				}
			}
			x.all = yes(all)
			bias := stats.WinRates(where[:1], 0.95, 1)[0]
			x.bias = yes(bias.CI != nil && bias.CI.Contains((1+truth(places[0]))/2))
			// One order alone, which a comparison without swapping would take.
			var once []stats.Outcome
			for i, o := range found[0] {
				o.Value -= where[0][i].Value
				once = append(once, o)
			}
			x.naive = yes(stats.WinRates([][]stats.Outcome{once}, 0.95, 1)[0].Shown())
			if run < simulations/10 {
				for i := range found {
					for k := range found[i] {
						found[i][k].Value *= -1
					}
				}
				back := stats.WinRates(found, 0.95, 1)[0]
				x.swapped = yes(back.Shown() == (x.shown == 1) && math.Abs(back.Rate+rate-1) < 1e-9)
			}
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		t.Fatal(err)
	}
	for _, x := range tallies {
		sum.rate += x.rate
		sum.all += x.all
		sum.bias += x.bias
		sum.shown += x.shown
		sum.naive += x.naive
		sum.swapped += x.swapped
	}
	return sum
}

func yes(b bool) int {
	if b {
		return 1
	}
	return 0
}

var worlds = []world{
	{"equal, 40 cases", []float64{0, 0}, 0.4, 0.3, 40, 1},
	{"equal, 120 cases", []float64{0, 0}, 0.4, 0.3, 120, 1},
	{"equal, 120 cases in groups of 4", []float64{0, 0}, 0.4, 0.3, 120, 4},
	{"better, 120 cases", []float64{0, 0.5}, 0.4, 0.3, 120, 1},
	{"better, 120 cases in groups of 4", []float64{0, 0.5}, 0.4, 0.3, 120, 4},
	{"four systems, 100 cases", []float64{0, 0, 0.3, 0.8}, 0.4, 0.3, 100, 1},
}

func (p *page) simulations() {
	p.WriteString("## Simulated judges\n\nSystems have planted qualities; the quality of an answer differs from case to " +
		"case (standard deviation 1), and a ruling " +
		"has noise of its own (0.5). The judge adds 0.4 to the answer that it reads first, and prefers neither of two within " +
		"0.3. Each setting is " +
		fmt.Sprintf("simulated %d times. The truth is that of 60,000 cases.\n\n", simulations))
	p.say("| setting | win rate's interval holds | position bias's interval holds | a difference is shown | the same with one order only |\n" +
		"|---|---|---|---|---|\n")
	swaps, of := 0, 0
	for _, w := range worlds {
		s := w.simulate(p.t)
		share := func(n int) float64 { return float64(n) / simulations }
		swaps, of = swaps+s.swapped, of+simulations/10
		if len(w.quality) > 2 {
			p.say("\nOf %s, six pairs, all six intervals of win rates hold together in %.1f %% (wanted: 93 to 97 %%).\n",
				w.name, 100*share(s.all))
			p.goal(w.name+": win rates", share(s.all), 0.93, 0.985)
			continue
		}
		p.say("| %s | %.1f %% | %.1f %% | %.1f %% | %.1f %% |\n",
			w.name, 100*share(s.rate), 100*share(s.bias), 100*share(s.shown), 100*share(s.naive))
		p.goal(w.name+": win rate", share(s.rate), 0.93, 0.97)
		p.goal(w.name+": bias", share(s.bias), 0.93, 0.975)
		if w.quality[0] == w.quality[1] {
			p.goal(w.name+": false verdicts", share(s.shown), 0.03, 0.07)
		}
	}
	p.say("\nOf equal systems, a difference is shown in about 5 %% of the simulations, as it should be at this level; a "+
		"judge that reads every pair in "+
		"one order only takes its liking for a place for a difference between the systems. With the systems in the other order the verdict was "+
		"the other one in %d of %d simulations.\n\n", swaps, of)
	if swaps != of {
		p.t.Errorf("swapped: %d of %d", swaps, of)
	}
}

func TestResults(t *testing.T) {
	if *ask {
		recordSmall(t)
	}
	p := &page{t: t}
	p.say("# Comparing answers in pairs\n\nThis page is written by the command at its end, and CI holds it to that. It is about " +
		"[`assay compare --pairwise`](../comparing.md#pairwise).\n\n")
	p.simulations()
	p.people()
	p.say("## Write this page again\n\n```\ngo test -tags results -run TestResults ./judge/pairwise -update\n```\n\nThe " +
		"rulings of the small model are kept " +
		"in `judge/pairwise/" + smallFile + "`; `-update -record` asks it again.\n")
	requiretest.ResultsPage(t, "pairwise.md", p.String(), *update, regexp.MustCompile(`\d+\.\d+`), 0.4)
}
