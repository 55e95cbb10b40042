//go:build results

package stats_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/assay-eval/assay/stats"
)

const (
	watched = 200    // runs of each kind
	patient = 20_000 // cases after the drop until a run is given up
)

var drops = []float64{0.02, 0.05, 0.1, 0.2, 0.4}

const dropColumns = " 0.02 | 0.05 | 0.1 | 0.2 | 0.4 |\n"

// A cusum knows how likely each score is before and after a drop.
type cusum struct {
	of                   traffic
	drop, sum, threshold float64
}

func (c *cusum) add(x float64) bool {
	c.sum = max(0, c.sum+c.of.ratio(x, c.drop))
	return c.sum >= c.threshold
}

// calibrate gives the threshold at which scores that do not change cross about once
// in 10,000 cases: between resets to 0 the sum passes it that often in a long series.
func calibrate(s traffic, drop float64, seed uint64) float64 {
	const cases, arl = 3_000_000, 10_000
	rng := rand.New(rand.NewPCG(uint64(7e8), seed))
	var sum, top float64
	var tops []float64
	for range cases {
		if sum = max(0, sum+s.ratio(s.draw(rng, 0), drop)); sum == 0 && top > 0 {
			tops = append(tops, top)
			top = 0
		}
		top = max(top, sum)
	}
	slices.Sort(tops)
	return tops[len(tops)-cases/arl]
}

// A whole alarms when the interval of the mean of all scores lies below the line.
type whole struct {
	stats.Bounds
	line   float64
	silent bool
}

func (w *whole) add(x float64) bool {
	w.Add(x)
	mean, _ := w.Mean()
	return !w.silent && mean < w.line && w.Misses(w.line, alpha)
}

// delayed sorts delays and gives the median and the 90th percentile.
func delayed(cases []int) string {
	slices.Sort(cases)
	at := func(i int) string {
		if cases[i] > patient {
			return "> " + thousands(patient)
		}
		return thousands(cases[i])
	}
	return at(len(cases)/2) + " / " + at(len(cases)*9/10)
}

// A watcher makes a rule anew when the last has alarmed before the drop.
type watcher struct {
	name string
	make func(drop float64) rule
}

// after gives the cases that a rule needs after a drop that follows quiet ones.
func (w watcher) after(s traffic, quiet int, drop float64, rng *rand.Rand) int {
	r := w.make(drop)
	all, history := r.(*whole)
	if history {
		all.silent = true // no look before the drop
	}
	for range quiet {
		if r.add(s.draw(rng, 0)) {
			r = w.make(drop)
		}
	}
	if history {
		all.silent = false
	}
	for n := 1; n <= patient; n++ {
		if r.add(s.draw(rng, drop)) {
			return n
		}
	}
	return patient + 1
}

// runs gives the delays of many runs.
func (w watcher) runs(s traffic, quiet int, drop float64, seed uint64) []int {
	out := make([]int, watched)
	parallel(watched, func(i int) { out[i] = w.after(s, quiet, drop, rand.New(rand.NewPCG(seed, uint64(i)))) })
	return out
}

// delays writes after how many cases a drop raises an alarm.
func (p *watchPage) delays() {
	p.say("\n## Alarms with a reason\n\n")
	p.say("The mean drops, all at once, after quiet cases: median / 90th percentile of the cases from the drop to the alarm, of %d "+
		"runs. The line is the mean before. An evidence of 10,000 is asked for a run length of 10,000 on one series; 100,000 for that on "+
		"ten series together, or for a longer one; 1,000,000 for 100,000 cases on ten series. An alarm before the drop restarts a "+
		"rule.\n\nBeside the detector an *oracle*: CUSUM that knows the distributions before and after the drop, with a threshold at "+
		"which its measured run length is 10,000, or 100,000. No watch of real traffic can know them. *Whole history* is what does not "+
		"work: an alarm when the interval of all cases so far, the one of the last section, lies below the line.\n\n", watched)
	var compared []string
	p.say("| scores | quiet cases | rule |" + dropColumns + "|---|---|---|---|---|---|---|---|\n")
	for k, s := range traffics {
		thresholds := make([]float64, len(drops))
		parallel(len(drops), func(i int) { thresholds[i] = calibrate(s, drops[i], uint64(10*k+i)) })
		oracle := func(drop, more float64) rule {
			return &cusum{of: s, drop: drop, threshold: thresholds[slices.Index(drops, drop)] + more}
		}
		var oracles, tenfold []float64
		quiets := []int{1000}
		if k == 0 {
			quiets = []int{0, 1000, 10_000}
		}
		for _, quiet := range quiets {
			medians := map[string][]float64{}
			for m, w := range []watcher{
				{"**detector, 10,000**", func(float64) rule { return detect(s.mean, 1e4) }},
				{"detector, 100,000", func(float64) rule { return detect(s.mean, 1e5) }},
				{"detector, 1,000,000", func(float64) rule { return detect(s.mean, 1e6) }},
				{"oracle, 10,000", func(drop float64) rule { return oracle(drop, 0) }},
				// Its run length grows as the exponential of the threshold.
				{"oracle, 100,000", func(drop float64) rule { return oracle(drop, math.Log(10)) }},
				{"whole history", func(float64) rule { return &whole{line: s.mean} }},
			} {
				p.say("| %s | %s | %s |", s.name, thousands(quiet), w.name)
				for i, drop := range drops {
					list := w.runs(s, quiet, drop, uint64(8e8)+uint64(1e6*k+100*m+10*i)+uint64(quiet))
					text := delayed(list)
					medians[w.name] = append(medians[w.name], float64(list[watched/2]))
					p.say(" %s |", text)
					if k == 0 && quiet == 10_000 && drop == 0.1 && m == 0 {
						p.quick = text
						p.goal("a drop of 0.1 is found within 300 cases", within(list, 300), watched, 0.9, 1)
					}
					if k == 0 && quiet == 10_000 && drop == 0.1 && w.name == "whole history" {
						p.late = text
					}
				}
				p.say("\n")
			}
			for i, own := range medians["**detector, 10,000**"] {
				oracles = append(oracles, own/medians["oracle, 10,000"][i])
				tenfold = append(tenfold, medians["detector, 100,000"][i]/own)
			}
		}
		compared = append(compared, fmt.Sprintf("%s %.1f to %.1f times as long as the oracle, and %.1f to %.1f times as long for ten "+
			"times the run length",
			s.name, slices.Min(oracles), slices.Max(oracles), slices.Min(tenfold), slices.Max(tenfold)))
	}
	p.say("\nBy the medians the detector needs, for %s. The oracle is furthest ahead in large drops of graded scores, which take few "+
		"cases either way; a longer run length costs most where the drop is small. After 10,000 quiet cases the detector takes no longer "+
		"than after none. The interval of the whole history needs longer the longer all was well, because the cases before the drop "+
		"never leave the mean.\n", strings.Join(compared, "; "))
}

// within counts the delays of at most so many cases.
func within(cases []int, most int) (n int) {
	for _, c := range cases {
		if c <= most {
			n++
		}
	}
	return n
}

// learned writes what a line costs that is learned from few cases.
func (p *watchPage) learned() {
	const quiet, margin = 1000, 0.02
	p.say("\n## What a learned line costs\n\n")
	p.say("The same delays, of the detector that alarms at 10,000 after %s quiet cases, when the line is learned: the lower end of "+
		"the 95 %% interval of the mean of earlier cases, less a margin of %.2f. *Line* is its mean over the runs; a drop that stays "+
		"above the line is none.\n\n", thousands(quiet), margin)
	p.say("| scores | earlier cases | line |" + dropColumns + "|---|---|---|---|---|---|---|---|\n")
	for k, s := range traffics {
		for m, earlier := range []int{200, 1000, 5000} {
			seed := uint64(9e8) + uint64(1e6*k+1e4*m)
			lines := make([]float64, watched)
			parallel(watched, func(i int) {
				e, _ := s.learn(rand.New(rand.NewPCG(seed, uint64(i))), earlier)
				lines[i] = e.CI.Lo - margin
			})
			var line float64
			for _, l := range lines {
				line += l / watched
			}
			p.say("| %s | %s | %.3f |", s.name, thousands(earlier), line)
			for i, drop := range drops {
				list := make([]int, watched)
				parallel(watched, func(j int) {
					w := watcher{"", func(float64) rule { return detect(lines[j], 1e4) }}
					list[j] = w.after(s, quiet, drop, rand.New(rand.NewPCG(seed+uint64(i)+1, uint64(j))))
				})
				text := delayed(list)
				p.say(" %s |", text)
				if k == 0 && (drop == 0.1 || drop == 0.2) {
					at := i - slices.Index(drops, 0.1)
					p.found[at] = append(p.found[at], text)
				}
			}
			p.say("\n")
		}
	}
	p.say("\nSmall drops need a line that is near the mean: more earlier cases, a smaller margin, or a line that is set by hand. " +
		"Large drops are found either way.\n")
}

// stakes writes how the list of stakes matters.
func (p *watchPage) stakes() {
	const quiet = 1000
	p.say("\n## Why these stakes\n\n")
	p.say("The evidence is the mean over stakes from 0.9, halved six times. Other lists, median delay of %d runs after %s quiet cases "+
		"at an evidence of 10,000, the line being the mean before:\n\n", watched, thousands(quiet))
	p.say("| stakes | number | hits: 0.02 | 0.05 | 0.1 | 0.2 | 0.4 | graded:" + dropColumns +
		"|---|---|---|---|---|---|---|---|---|---|---|---|\n")
	for _, list := range []struct {
		name        string
		first, step float64
		number      int
	}{
		{"**0.9, halved six times**", 0.9, 2, 7}, {"0.9, halved nine times", 0.9, 2, 10}, {"0.9, halved three times", 0.9, 2, 4},
		{"0.9, divided by √2 twelve times", 0.9, math.Sqrt2, 13}, {"0.9, quartered three times", 0.9, 4, 4}, {"0.5, halved six " +
			"times", 0.5, 2, 7},
		{"0.1 alone", 0.1, 2, 1},
	} {
		p.say("| %s | %d |", list.name, list.number)
		for k, s := range traffics[:2] {
			w := watcher{"", func(float64) rule {
				d := detector{stats.Drift{Line: s.mean}, 1e4}
				for i := range list.number {
					d.Bets = append(d.Bets, stats.DriftBet{Stake: list.first / math.Pow(list.step, float64(i)), Run: 1})
				}
				return &d
			}}
			for i, drop := range drops {
				cases := w.runs(s, quiet, drop, uint64(10e8)+uint64(100*k+i)) // the same scores for each list
				slices.Sort(cases)
				p.say(" %s |", thousands(cases[watched/2]))
			}
		}
		p.say("\n")
	}
	p.say("\nNo list is fastest everywhere. One stake alone is, near the drop for which it is best, and slow elsewhere. A first stake " +
		"of 0.9 finds large drops of graded scores sooner than one of 0.5; smaller last stakes cost a little, and closer steps gain next " +
		"to nothing. Steps of four do nearly as well with four stakes; the seven cost little.\n")
}
