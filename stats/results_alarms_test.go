//go:build results

package stats_test

import (
	"math/rand/v2"

	"github.com/assay-eval/assay/stats"
)

const (
	// replicates of a simulation of false alarms: the standard error of a share
	// of 5 % is then 0.7 points.
	replicates = 1000
	// fewer where only the rough size matters.
	fewer = 400
	level = 0.95
	alpha = 0.05
)

// exchangeable draws queries and lets a coin say which of the two systems is
// called new: the systems are then the same, and the differences as sparse and
// as large as real ones.
func exchangeable(real []stats.Pair, rng *rand.Rand) func() stats.Pair {
	return func() stats.Pair {
		p := real[rng.IntN(len(real))]
		if rng.IntN(2) == 0 {
			p.Old, p.New = p.New, p.Old
		}
		return p
	}
}

// lopsided differences have the mean 0 and no symmetry: 70 % are 0, 27 % gain
// 0.05 on average, 3 % lose 0.45 on average.
func lopsided(rng *rand.Rand) func() stats.Pair {
	return func() stats.Pair {
		switch u := rng.Float64(); {
		case u < 0.70:
			return stats.Pair{}
		case u < 0.97:
			return stats.Pair{New: 0.1 * rng.Float64()}
		}
		return stats.Pair{New: -0.9 * rng.Float64()}
	}
}

// alarm tells which tests call the pairs different: sign-flip, which decides, t,
// Wilcoxon and sign.
func alarm(c stats.Comparison, pairs []stats.Pair) (alarms [4]bool) {
	diffs, samples := make([]float64, len(pairs)), make([]stats.Sample, len(pairs))
	for i, p := range pairs {
		diffs[i], samples[i].Value = p.New-p.Old, p.New-p.Old
	}
	student, _ := stats.PairedT(samples, level)
	ranks, _ := stats.Wilcoxon(diffs)
	return [4]bool{c.P < alpha, student.P < alpha, ranks.P < alpha, c.SignP < alpha}
}

// errors counts the alarms of each test over simulated comparisons of n pairs.
func errors(n, trials int, seed uint64, source func(rng *rand.Rand) func() stats.Pair) (hits [4]int) {
	const together = 16
	alarms := make([][4]bool, trials)
	parallel((trials+together-1)/together, func(chunk int) {
		var lists [][]stats.Pair
		for i := chunk * together; i < min((chunk+1)*together, trials); i++ {
			draw := source(rand.New(rand.NewPCG(seed, uint64(i))))
			pairs := make([]stats.Pair, n)
			for k := range pairs {
				pairs[k] = draw()
			}
			lists = append(lists, pairs)
		}
		for k, c := range stats.CompareAll(lists, level, seed+uint64(chunk)) {
			i := chunk*together + k
			alarms[i] = alarm(c, lists[k])
		}
	})
	for _, a := range alarms {
		for k, on := range a {
			if on {
				hits[k]++
			}
		}
	}
	return hits
}

// alarms writes how often the same system is called different from itself.
func (p *page) alarms() {
	p.say("\n## A/A: how often is a system called different from itself?\n\n")
	p.say("Both \"systems\" are drawn from the scores of sparse and dense retrieval on the 300 queries of SciFact (`stats/%s`): a query "+
		"is drawn, with replacement, and a coin says whose score is called new. "+
		"So there is no difference to find, and the differences are as real ones are, many of them 0. Share of comparisons with p < 0.05, "+
		"in %%, of %d by nDCG@10 and %d by the others; **goal for the sign-flip test on nDCG@10: 3 to 7**. The exact 95 %% interval is "+
		"that of the share.\n\n", scoresFile, replicates, fewer)
	p.say("| metric | cases | **sign-flip** | 95 %% interval | t | Wilcoxon | sign |\n|---|---|---|---|---|---|---|\n")
	for m, metric := range []string{"ndcg@10", "recall@5", "hit@3"} {
		real := p.scifact[metric]
		sizes, trials := []int{50, 100, 200, 300}, replicates
		if metric != "ndcg@10" {
			sizes, trials = []int{50, 300}, fewer
		}
		for _, n := range sizes {
			hits := errors(n, trials, uint64(1000*m+n), func(rng *rand.Rand) func() stats.Pair { return exchangeable(real, rng) })
			p.row(metric, n, trials, hits)
			if metric == "ndcg@10" {
				p.alarm = append(p.alarm, share(hits[0], trials))
				p.goal("A/A", hits[0], trials, 0.03, 0.07)
			}
		}
	}
	p.say("\nrecall@5 is 0 or 1 for most queries: a test of few coin tosses cannot reach every level, and the exact one stays below "+
		"it. On hit@3, which is always 0 or 1, the test is McNemar's mid-p, which comes closer."+
		" That errs to the safe side: a lower share is fewer false alarms, not a defect. %s\n", p.sparsity())
	p.say("\nWhy not Wilcoxon or sign, if they look the same here? Because a coin made these differences symmetric. The next ones have "+
		"the mean 0, too, but many small gains and few large losses (70 %% are 0, 27 %% gain up to 0.1, 3 %% lose up to 0.9), %d "+
		"comparisons:\n\n", fewer)
	p.say("| differences | cases | **sign-flip** | 95 %% interval | t | Wilcoxon | sign |\n|---|---|---|---|---|---|---|\n")
	for _, n := range []int{50, 100, 300} {
		p.row("lopsided, mean 0", n, fewer, errors(n, fewer, uint64(9000+n), lopsided))
	}
	p.say("\nWilcoxon and sign answer another question, more surely the more cases there are. No test of the mean is right on 50 such " +
		"cases, where losses may not be in the sample at all: a comparison warns below 50 cases that differ.\n")
}

func (p *page) row(name string, n, trials int, hits [4]int) {
	p.say("| %s | %d | **%s** | %s |", name, n, percent(hits[0], trials), exact(hits[0], trials))
	for _, h := range hits[1:] {
		p.say(" %s |", percent(h, trials))
	}
	p.say("\n")
}

// sparsity says how many differences are not 0.
func (p *page) sparsity() string {
	text := "Of the 300 queries the systems differ"
	for i, metric := range []string{"ndcg@10", "recall@5", "hit@3"} {
		c := compare(p.scifact[metric], level, 1)
		if i > 0 {
			text += ","
		}
		text += " in " + percent(c.Wins+c.Losses, c.N) + " % by " + metric
	}
	return text + "."
}
