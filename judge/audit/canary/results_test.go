//go:build results

package canary_test

import (
	"flag"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/assay-eval/assay/internal/requiretest"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/audit/canary"
)

var update = flag.Bool("update", false, "write docs/results/canary.md anew")

const head = `# False alarms of the canaries

How often a judge that has not changed is said to have changed, and how often a planted change is found: 1,000 runs of stand-ins each, with
20 canaries of ten passages in English, by the test that runs use ([canaries](../judging.md#canaries)). The page is made by ` + "`make results`" + `.

A stand-in gives a reason of eight words for each ruling. The *variation of words* is the chance that a word is drawn anew in an answer, the
*variation of rulings* the chance that a ruling is turned; both are as large in the frozen answers, in their repetition and in the run. A change
is then planted. Words of real models vary otherwise than those of stand-ins; the test assumes only that answers to different passages vary
independently.

`

// TestResults counts false alarms and planted changes that are found, and compares with
// docs/results/canary.md.
func TestResults(t *testing.T) {
	const trials = 1000
	items := canary.Items(20, judge.English)
	var b strings.Builder
	b.WriteString(head)
	b.WriteString("| variation of words | of rulings | false alarms | words: half drawn anew | 5 of 20 rulings turned | 10 of 20 turned |\n|---|---|---|---|---|---|\n")
	for _, judged := range []struct{ words, rulings float64 }{{0, 0}, {0.1, 0}, {0.3, 0}, {0.6, 0}, {0, 0.05}, {0.3, 0.05}, {0.3, 0.2}} {
		var counts [4]int
		for seed := range uint64(trials) {
			m := modelOf(seed, "w", judged.words)
			m.flips = judged.rulings
			frozen := freeze(t, m, items)
			for i, plant := range []func(){
				func() {},
				func() { m.noise = 1 - (1-judged.words)/2 },
				func() { m.turned = 5 },
				func() { m.turned = 10 },
			} {
				m.noise, m.turned = judged.words, 0
				plant()
				if frozen.Now(ask(t, m, items)).Differs {
					counts[i]++
				}
			}
		}
		if counts[0] > 20 { // three standard errors above 1 %
			t.Errorf("%+v: %d false alarms in %d", judged, counts[0], trials)
		}
		fmt.Fprintf(&b, "| %.0f %% | %.0f %% | %d | %d | %d | %d |\n", 100*judged.words, 100*judged.rulings, counts[0], counts[1], counts[2], counts[3])
	}
	requiretest.ResultsPage(t, "canary.md", b.String(), *update, regexp.MustCompile(`\d+`), 0)
}
