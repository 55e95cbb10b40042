//go:build results

package stats_test

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/assay-eval/assay/stats"
)

// A change is how a new system differs from an old one, case by case, with the
// mean difference −worse.
type change struct {
	name, note string
	// draw gives a source of pairs.
	draw func(rng *rand.Rand, worse float64) func() stats.Pair
	// goal is set where a gate must hold its level.
	goal bool
	// width is the largest difference, 0 if there is none.
	width float64
}

func normal(sd float64) func(rng *rand.Rand, worse float64) func() stats.Pair {
	return func(rng *rand.Rand, worse float64) func() stats.Pair {
		return func() stats.Pair {
			old := 0.7 + 0.1*rng.NormFloat64()
			return stats.Pair{Old: old, New: old + sd*rng.NormFloat64() - worse}
		}
	}
}

func changes(real []stats.Pair) []change {
	var old, either float64
	for _, p := range real {
		old += p.Old / float64(len(real))
		either += (p.Old + p.New) / 2 / float64(len(real))
	}
	return []change{
		{"normal, sd 0.10", "a retrieval tweak", normal(0.10), true, 0},
		{"normal, sd 0.25", "a judged score", normal(0.25), true, 0},
		{"SciFact", "nDCG@10 of either retriever by a coin, all cases worse by the margin", func(rng *rand.Rand, worse float64) func() stats.Pair {
			draw := exchangeable(real, rng)
			return func() stats.Pair {
				p := draw()
				p.New -= worse
				return p
			}
		}, true, 1},
		{"rare total losses", "the same, but instead of all a few cases lose everything", func(rng *rand.Rand, worse float64) func() stats.Pair {
			draw := exchangeable(real, rng)
			return func() stats.Pair {
				p := draw()
				if rng.Float64() < worse/either {
					p.New = 0
				}
				return p
			}
		}, false, 1},
		{"nothing but rare total losses", "the old system, of which a few cases lose everything", func(rng *rand.Rand, worse float64) func() stats.Pair {
			return func() stats.Pair {
				p := real[rng.IntN(len(real))]
				p.New = p.Old
				if rng.Float64() < worse/old {
					p.New = 0
				}
				return p
			}
		}, false, 1},
	}
}

// passes counts how often gates pass: the statistical one, the same with the
// limit on new total losses, and two that only look at the mean difference.
type passes struct{ gate, guarded, notWorse, within int }

// totalLosses is the share of new total losses that a statistical gate allows
// unless it is told otherwise (metrics.md §4.5).
const totalLosses = 0.02

func (p *page) pass(c change, n, trials int, margin, worse float64, seed uint64) passes {
	const together = 15 // and one of their sizes: as many as are summed at once
	type verdict struct{ gate, guarded, notWorse, within bool }
	verdicts := make([]verdict, trials)
	parallel((trials+together-1)/together, func(chunk int) {
		var lists [][]stats.Pair
		for i := chunk * together; i < min((chunk+1)*together, trials); i++ {
			draw := c.draw(rand.New(rand.NewPCG(seed, uint64(i))), worse)
			pairs := make([]stats.Pair, n)
			for k := range pairs {
				pairs[k] = draw()
			}
			lists = append(lists, pairs)
		}
		for k, pValue := range stats.NonInferiorP(lists, c.width, margin, seed+uint64(chunk)) {
			i := chunk*together + k
			mean, lost := 0.0, 0
			for _, pair := range lists[k] {
				mean += (pair.New - pair.Old) / float64(n)
				if pair.Old >= 0.5 && pair.New == 0 {
					lost++
				}
			}
			v := &verdicts[i]
			v.gate = pValue < alpha
			v.guarded = v.gate && float64(lost) <= totalLosses*float64(n)
			v.notWorse, v.within = mean >= 0, mean > -margin
			// What is simulated is what the gate does.
			if i < 3 {
				if r, ok := stats.NonInferior(lists[k], c.width, margin, alpha, seed+uint64(chunk)); !ok || r.Shown != v.gate {
					p.t.Errorf("%s: the gate says %v, p = %v", c.name, r, pValue)
				}
			}
		}
	})
	var out passes
	for _, v := range verdicts {
		for _, x := range []struct {
			on    bool
			count *int
		}{{v.gate, &out.gate}, {v.guarded, &out.guarded}, {v.notWorse, &out.notWorse}, {v.within, &out.within}} {
			if x.on {
				*x.count++
			}
		}
	}
	return out
}

// gates writes how often gates pass what is worse, and what is not.
func (p *page) gates() {
	all := changes(p.scifact["ndcg@10"])
	p.say("\n## The statistical gate: does it let a worse system pass, and an unchanged one?\n\n")
	p.say("The gate passes when a one-sided test at 5 %% shows that the mean is not worse by the margin: that of a bounded mean where no more than half " +
		"of the cases differ, else a sign-flip test. Beside it what two " +
		"gates without statistics do: one passes when the mean difference is not negative, one when it is above −margin. Share of " +
		"simulated runs that pass, in %%.\n\n")
	for _, c := range all {
		p.say("- %s: %s\n", c.name, c.note)
	}
	p.say("\n### Worse by exactly the margin\n\n")
	p.say("%d runs, with 1,000 cases %d. **Goal: 7 at most.** All cases are worse by the margin beside what they vary, so that its size "+
		"does not matter to the test; here it is 0.02.\n\n", replicates, fewer)
	p.say("| change | cases | **gate** | 95 %% interval | mean ≥ 0 | mean > −margin |\n|---|---|---|---|---|---|\n")
	for k, c := range all {
		if !c.goal {
			continue
		}
		for _, n := range sizes {
			trials := replicates
			if n >= 1000 {
				trials = fewer
			}
			v := p.pass(c, n, trials, 0.02, 0.02, uint64(1e6*(k+1)+n))
			p.say("| %s | %d | **%s** | %s | %s | %s |\n", c.name, n, percent(v.gate, trials), exact(v.gate, trials),
				percent(v.notWorse, trials), percent(v.within, trials))
			p.worse = append(p.worse, share(v.gate, trials))
			p.goal(fmt.Sprintf("gate: %s, %d cases", c.name, n), v.gate, trials, 0, 0.07)
		}
	}
	p.say("\n### Worse by the margin through a few cases that lose everything\n\n")
	p.say("%d runs. **Goal: 7 at most.** A statistical gate has a second rule besides, `new_total_losses <= 2%%` (cases that fall from 0.5 or "+
		"more to 0), unless it is told otherwise.\n\n", fewer)
	p.say("| change | margin | cases | **gate** | 95 %% interval | **gate and `new_total_losses`** | mean ≥ 0 | mean > −margin " +
		"|\n|---|---|---|---|---|---|---|---|\n")
	for k, c := range all {
		if c.goal {
			continue
		}
		for _, margin := range margins {
			for _, n := range sizes[:2] {
				v := p.pass(c, n, fewer, margin, margin, uint64(1e6*(k+1)+n)+uint64(1e5*margin))
				p.losses = append(p.losses, share(v.gate, fewer))
				p.goal(fmt.Sprintf("gate: %s, margin %v, %d cases", c.name, margin, n), v.gate, fewer, 0, 0.07)
				p.say("| %s | %.2f | %d | **%s** | %s | **%s** | %s | %s |\n", c.name, margin, n, percent(v.gate, fewer),
					exact(v.gate, fewer), percent(v.guarded, fewer), percent(v.notWorse, fewer), percent(v.within, fewer))
			}
		}
	}
	p.say("\n### Hits that are fewer by exactly the margin\n\n")
	p.say("Nothing is drawn: all tables of hits that change are counted. Flaky cases change either way, half of them up. Share of runs that pass, " +
		"in %%, the largest over margins of 0.01, 0.02, 0.03, 0.05 and 0.1. **Goal: 5 at most.**\n\n| cases | 0 %% flaky | 1 %% | 2 %% | 5 %% | 10 %% |\n" +
		"|---|---|---|---|---|---|\n")
	for _, n := range []int{5, 10, 20, 50, 100, 200, 300} {
		p.say("| %d |", n)
		for _, worst := range stats.HitsThatPass(n, []float64{0, 0.01, 0.02, 0.05, 0.1}, []float64{0.01, 0.02, 0.03, 0.05, 0.1}) {
			p.say(" %.1f |", 100*worst)
			if worst > 0.05 {
				p.t.Errorf("%d hits: %v pass", n, worst)
			}
		}
		p.say("\n")
	}
	const runs = 200
	p.say("\n### Unchanged\n\n")
	p.say("The same changes from case to case, and none in the mean: %d runs. The more pass, the better; a gate that fails here cries "+
		"wolf. Cases needed is the normal approximation for a power of 80 %%: ((z₁₋α + z₀.₈)·sd/margin)².\n\n", runs)
	p.say("| change | margin | cases | **gate** | mean ≥ 0 | mean > −margin | cases needed |\n|---|---|---|---|---|---|---|\n")
	for k, c := range all {
		if !c.goal {
			continue
		}
		sd := p.spread(c)
		for _, margin := range margins {
			need := int(math.Ceil(math.Pow((1.6448536+0.8416212)*sd/margin, 2)))
			for _, n := range sizes {
				v := p.pass(c, n, runs, margin, 0, uint64(2e7)+uint64(1e6*(k+1)+n)+uint64(1e5*margin))
				p.say("| %s | %.2f | %d | **%s** | %s | %s | %d |\n", c.name, margin, n, percent(v.gate, runs),
					percent(v.notWorse, runs), percent(v.within, runs), need)
			}
		}
	}
}

var (
	sizes   = []int{100, 300, 1000}
	margins = []float64{0.02, 0.05}
)

// spread is the standard deviation of a change, from 100,000 cases.
func (p *page) spread(c change) float64 {
	draw := c.draw(rand.New(rand.NewPCG(1, 1)), 0)
	d := make([]stats.Sample, 100_000)
	for i := range d {
		pair := draw()
		d[i].Value = pair.New - pair.Old
	}
	r, ok := stats.PairedT(d, level)
	if !ok || r.DZ == nil {
		p.t.Fatal("no spread")
	}
	return r.SE * math.Sqrt(float64(len(d)))
}
