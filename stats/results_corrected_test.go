//go:build results

package stats_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/assay-eval/assay/internal/requiretest"
	"github.com/assay-eval/assay/stats"
)

// TestResultsCorrected simulates judges whose bias differs between two systems, and compares with
// docs/results/corrected.md. Every draw has its own seed.
func TestResultsCorrected(t *testing.T) {
	p := &correctedPage{page: page{t: t}, low: 1}
	p.coverage()
	p.verdicts()
	p.real()
	p.say("\n## Write this page again\n\n```\ngo test -tags results -run TestResultsCorrected ./stats -update\n```\n")
	requiretest.ResultsPage(t, "corrected.md", p.head()+p.String(), *update, number, 1)
}

type correctedPage struct {
	page
	low, high, rareLow float64
	judged, people     []float64
	real50             string
}

// A duel is a way in which two systems answer and are judged.
type duel struct {
	name, note string
	graded     bool
	rare       bool
	skill      float64 // of the new system; the old one has 0.5
}

var duels = []duel{
	{"binary", "people say 0 or 1", false, false, 0.9},
	{"graded", "people give 0, 0.25 … 1; the judge a number", true, false, 0.9},
	{"rare", "as binary, but 92 of 100 answers are the same in both systems", false, true, 0.9},
}

// draw returns the differences of n cases by people and by the judge, and clusters of five cases if grouped.
func (d duel) draw(r *rand.Rand, n int, grouped bool) (human, judge []float64, cluster []string) {
	human, judge, cluster = make([]float64, n), make([]float64, n), make([]string, n)
	shared := 0.0
	for i := range human {
		if grouped {
			if i%5 == 0 {
				shared = 0.8 * r.NormFloat64()
			}
			cluster[i] = fmt.Sprint(i / 5)
		}
		ease := r.NormFloat64() + shared
		ya, fa := d.answer(r, 0.5+ease, 0.02, 0.1)
		yb, fb := d.answer(r, d.skill+ease, 0.2, 0.15)
		if d.rare && r.Float64() > 0.08 {
			yb = ya
			if r.Float64() < 0.9 {
				fb = fa
			}
		}
		human[i], judge[i] = yb-ya, fb-fa
	}
	return human, judge, cluster
}

// answer returns what people and the judge say of an answer. The judge adds the bias, and errs by the noise.
func (d duel) answer(r *rand.Rand, logit, bias, noise float64) (human, judge float64) {
	q := 1 / (1 + math.Exp(-logit))
	if d.graded {
		human = math.Round(4*min(1, max(0, q+0.2*r.NormFloat64()))) / 4
		return human, min(1, max(0, 0.3+0.5*human+bias+noise*r.NormFloat64()))
	}
	if r.Float64() < q {
		human = 1
	}
	judge = human
	if r.Float64() < noise {
		judge = 1 - human
	}
	if judge == 0 && r.Float64() < bias {
		judge = 1
	}
	return human, judge
}

// truth is the mean difference by people.
func (d duel) truth(grouped bool) float64 {
	sums := make([]float64, 40)
	parallel(len(sums), func(i int) {
		human, _, _ := d.draw(rand.New(rand.NewPCG(uint64(9e8), uint64(i))), 25_000, grouped)
		for _, v := range human {
			sums[i] += v / 25_000 / float64(len(sums))
		}
	})
	total := 0.0
	for _, s := range sums {
		total += s
	}
	return total
}

// labelSome labels n of the cases: at random, or in steps of 20 where they narrow the interval most.
func labelSome(r *rand.Rand, human, judge []float64, cluster []string, n int, stratified bool) []stats.Judged {
	items := make([]stats.Judged, len(human))
	for i := range items {
		items[i] = stats.Judged{Judge: judge[i], Cluster: cluster[i]}
	}
	order := r.Perm(len(items))
	if !stratified {
		for _, i := range order[:n] {
			items[i].Human = &human[i]
		}
		return items
	}
	strata := stats.Strata(judge)
	state := make([]stats.Stratum, slices.Max(strata)+1)
	for i, k := range strata {
		items[i].Stratum = k
		state[k].Items++
	}
	for left := n; left > 0; {
		step := min(left, 20)
		if left == n {
			step = min(left, stats.MinLabels)
		} else if c, err := stats.Correct(items, stats.CorrectOptions{}); err == nil {
			state = c.Strata
		}
		for k, take := range stats.Allocate(state, step) {
			for _, i := range order {
				if take > 0 && strata[i] == k && items[i].Human == nil {
					items[i].Human = &human[i]
					state[k].Labels++
					take--
				}
			}
		}
		left -= step
	}
	return items
}

type correctedShare struct {
	held, judge, none int
	width             float64
}

// correct counts how often the interval holds the truth, and that of the judge.
func (d duel) correct(seed uint64, trials, cases, n int, grouped, stratified bool, truth float64) correctedShare {
	type one struct {
		held, judge, none bool
		width             float64
	}
	all := make([]one, trials)
	parallel(trials, func(i int) {
		r := rand.New(rand.NewPCG(seed, uint64(i)))
		human, judge, cluster := d.draw(r, cases, grouped)
		c, err := stats.Correct(labelSome(r, human, judge, cluster, n, stratified), stats.CorrectOptions{})
		var scores, alone []stats.Sample
		for k := range judge {
			scores = append(scores, stats.Sample{Value: judge[k], Cluster: cluster[k]})
		}
		for _, k := range r.Perm(cases)[:n] {
			alone = append(alone, stats.Sample{Value: human[k], Cluster: cluster[k]})
		}
		if ci := stats.Mean(scores, 0.95).CI; ci != nil {
			all[i].judge = ci.Lo <= truth && truth <= ci.Hi
		}
		if err != nil {
			all[i].none = true
			return
		}
		all[i].held = c.CI.Lo <= truth && truth <= c.CI.Hi
		all[i].width = 1
		if ci := stats.Mean(alone, 0.95).CI; ci != nil && ci.Hi > ci.Lo {
			all[i].width = (c.CI.Hi - c.CI.Lo) / (ci.Hi - ci.Lo)
		}
	})
	var s correctedShare
	var widths []float64
	for _, x := range all {
		switch {
		case x.none:
			s.none++
		default:
			widths = append(widths, x.width)
		}
		if x.held {
			s.held++
		}
		if x.judge {
			s.judge++
		}
	}
	slices.Sort(widths)
	s.width = widths[len(widths)/2]
	return s
}

func (p *correctedPage) coverage() {
	const trials = 2000
	p.say("\n## Does the interval hold the truth?\n\n")
	p.say("Share in %% of %d simulated comparisons whose 95 %% interval holds the difference that people find in the population, and the "+
		"median width beside that of as many random labels alone (t). **Goal: 93 to 97**, of shares that chance moves by half a point. "+
		"The judge favours the new system: it lets 20 %% of "+
		"its wrong answers pass and 2 %% of the old one's. *Drawn*: the first 30 labels in proportion to the strata, then 20 at a time where "+
		"they narrow the interval most. *Judge alone*: how often the judge's own interval holds the truth.\n\n", trials)
	for _, d := range duels {
		p.say("- %s: %s\n", d.name, d.note)
	}
	p.say("\n| labels of people | in groups of 5 | cases | labels | **random** | width | **drawn** | width | judge alone |\n|---|---|---|---|---|---|---|---|---|\n")
	for k, d := range duels {
		for g, grouped := range []bool{false, true} {
			truth := d.truth(grouped)
			for _, size := range [][2]int{{300, 30}, {300, 50}, {300, 100}, {1000, 30}, {1000, 50}, {1000, 100}, {1000, 300}, {5000, 300}} {
				if size[0] == 5000 && (grouped || d.name != "binary") {
					continue
				}
				seed := uint64(7e8) + uint64(k*1e6+g*1e5+size[0]*10+size[1])
				even := d.correct(seed, trials, size[0], size[1], grouped, false, truth)
				drawn := d.correct(seed+5e7, trials, size[0], size[1], grouped, true, truth)
				cell := func(s correctedShare) string {
					text := percent(s.held, trials-s.none)
					if s.none > 0 {
						text += fmt.Sprintf(" (%s without)", percent(s.none, trials))
					}
					return text
				}
				p.say("| %s | %s | %d | %d | **%s** | %.2f | **%s** | %.2f | %s |\n", d.name, []string{"no", "yes"}[g], size[0], size[1],
					cell(even), even.width, cell(drawn), drawn.width, percent(even.judge, trials))
				for _, s := range []correctedShare{even, drawn} {
					held := share(s.held, trials-s.none)
					if d.rare {
						p.rareLow = min(held, cmpOr(p.rareLow))
						continue
					}
					p.low, p.high = min(p.low, held), max(p.high, held)
					p.goal(fmt.Sprint(d.name, size), s.held, trials-s.none, 0.92, 0.98) // two standard errors beyond the goal
				}
			}
		}
	}
	p.say("\n*Without*: no interval, because no two of the labels differ from the judge's score in another way. That happens where answers " +
		"seldom differ.\n")
}

// cmpOr is 1 for a share that is not known yet.
func cmpOr(v float64) float64 {
	if v == 0 {
		return 1
	}
	return v
}

func (p *correctedPage) verdicts() {
	const trials = 2000
	p.say("\n## Is a difference found where there is none?\n\nThe two systems are equally good, and the judge favours one of them as above. Share "+
		"in %% of %d comparisons in which an interval of 95 %% leaves out 0: of the judge alone, and of the corrected difference with random "+
		"labels. **Goal: 7 at most.**\n\n| labels of people | cases | labels | judge alone | **corrected** |\n|---|---|---|---|---|\n", trials)
	for k, d := range duels[:2] {
		d.skill = 0.5
		for _, size := range [][2]int{{300, 50}, {1000, 50}, {1000, 100}, {1000, 300}} {
			s := d.correct(uint64(8e8)+uint64(k*1e6+size[0]*10+size[1]), trials, size[0], size[1], false, false, 0)
			p.say("| %s | %d | %d | %s | **%s** |\n", d.name, size[0], size[1], percent(trials-s.judge, trials), percent(trials-s.none-s.held, trials))
			p.judged = append(p.judged, share(trials-s.judge, trials))
			p.people = append(p.people, share(trials-s.none-s.held, trials))
			p.goal("no difference "+d.name, trials-s.none-s.held, trials, 0, 0.07)
		}
	}
}

// real compares two models of MT-RAG by RAGAS and by people.
func (p *correctedPage) real() {
	type row struct {
		ID, Model string
		Labels    struct{ Faithfulness []float64 }
		Auto      struct {
			Score *float64 `json:"rl_f"`
		}
	}
	text, err := os.ReadFile(requiretest.Shared(p.t, "data/answers/mtrag.jsonl"))
	must(p.t, err)
	by := map[string]map[string]row{}
	for line := range bytes.Lines(text) {
		var r row
		if json.Unmarshal(line, &r) != nil || r.Auto.Score == nil || len(r.Labels.Faithfulness) == 0 {
			continue
		}
		id := strings.TrimSuffix(r.ID, "-"+r.Model)
		if by[id] == nil {
			by[id] = map[string]row{}
		}
		by[id][r.Model] = r
	}
	var items []stats.Judged
	var human []float64
	var ids []string
	for id := range by {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	for _, id := range ids {
		a, okA := by[id]["gpt-4o"]
		b, okB := by[id]["llama-3.1-405b-instruct"]
		if !okA || !okB {
			continue
		}
		conversation, _, _ := strings.Cut(id, "<::>")
		items = append(items, stats.Judged{Judge: *b.Auto.Score - *a.Auto.Score, Cluster: conversation})
		human = append(human, (meanOfList(b.Labels.Faithfulness)-meanOfList(a.Labels.Faithfulness))/3)
	}
	var all []stats.Judged
	var judged []stats.Sample
	for i, it := range items {
		judged = append(judged, stats.Sample{Value: it.Judge, Cluster: it.Cluster})
		it.Human = &human[i]
		all = append(all, it)
	}
	whole, err := stats.Correct(all, stats.CorrectOptions{})
	must(p.t, err)
	alone := stats.Mean(judged, 0.95)
	show := func(mean float64, ci stats.Interval) string {
		return fmt.Sprintf("%+.3f [%+.3f, %+.3f]", mean, ci.Lo, ci.Hi)
	}
	p.say("\n## Real answers: two models of MT-RAG\n\nLlama 3.1 405B beside GPT-4o on %d questions of MT-RAG (`answers/mtrag.jsonl`), in "+
		"clusters by conversation: faithfulness by people (mean of their labels, 1 to 4 brought to 0 to 1) and by RAGAS, recorded with the "+
		"data. Differences with 95 %% intervals.\n\n| by | difference |\n|---|---|\n", len(items))
	p.say("| people, all %d labels | %s |\n| RAGAS alone | %s |\n", len(items), show(whole.Mean, whole.CI), show(alone.Mean, *alone.CI))
	for seed := range uint64(3) {
		with := slices.Clone(items)
		for _, i := range rand.New(rand.NewPCG(1, seed)).Perm(len(with))[:50] {
			with[i].Human = &human[i]
		}
		c, err := stats.Correct(with, stats.CorrectOptions{})
		must(p.t, err)
		p.say("| RAGAS corrected with 50 random labels, draw %d | %s, λ %.2f |\n", seed+1, show(c.Mean, c.CI), c.Lambda)
		if seed == 0 {
			p.real50 = fmt.Sprintf("RAGAS alone says %s, all labels %s, RAGAS with 50 random labels %s", show(alone.Mean, *alone.CI),
				show(whole.Mean, whole.CI), show(c.Mean, c.CI))
		}
	}
	p.say("\nWith so many equal ratings by people, 50 labels say little of a difference this small, and the interval says so.\n")
}

func meanOfList(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}

func (p *correctedPage) head() string {
	return "# Differences as people would judge them\n\nThis page is written by the command at its end, which simulates; CI runs it too and " +
		"fails when a figure differs from this page by more than 1 or leaves its goal. All draws are seeded. " +
		"[Comparing](../comparing.md#as-people-would-judge-it) says how to use it; the formulas are those of `Correct` in the package " +
		"`stats`.\n\nIn short:\n\n" +
		fmt.Sprintf("- The corrected interval of a difference holds what people find in %.1f to %.1f %% of comparisons (goal: 93 to 97 %%), with "+
			"30 labels and more, also where the bias of the judge differs between the systems.\n", 100*p.low, 100*p.high) +
		fmt.Sprintf("- Where answers seldom differ it holds in %.1f %% at the lowest: with few labels that differ, no interval is exact.\n",
			100*p.rareLow) +
		fmt.Sprintf("- Of two equally good systems the judge alone finds one better in %s of comparisons, the corrected difference in %s (goal: "+
			"at most 7 %%).\n", span(p.judged), span(p.people)) +
		"- Llama 3.1 405B beside GPT-4o on MT-RAG: " + p.real50 + ".\n"
}
