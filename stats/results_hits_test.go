//go:build results

package stats_test

import (
	"fmt"

	"github.com/assay-eval/assay/stats"
)

// hits writes how the interval and the test of metrics of 0 and 1 do. Nothing is
// drawn: all tables of changed cases are counted.
func (p *page) hits() {
	p.say("\n### Hits and misses\n\n")
	p.say("A comparison of a metric of 0 and 1 has the interval of a bounded mean, and McNemar's mid-p. Here nothing is drawn: every number of cases that " +
		"change up and down is counted with its probability. Share in %% of tables whose 95 %% interval holds the true difference, " +
		"and in which p < 0.05, by mid-p, by the exact p, and by the exact unconditional test of Suissa and Shuster. The changes " +
		"are cases that change, those up among them, and those expected in so many cases.\n\n")
	p.say("| changes | up | cases | expected | coverage | mid-p | exact | unconditional |\n|---|---|---|---|---|---|---|---|\n")
	rejected := map[int]func(up, down int) bool{}
	var least, under float64 = 1, 0
	for _, changed := range []float64{0, 0.01, 0.02, 0.05, 0.1} {
		for _, up := range []float64{0.5, 0.75, 1} {
			for _, n := range []int{20, 50, 100, 200, 300} {
				if changed == 0 && up != 0.5 {
					continue
				}
				if rejected[n] == nil {
					rejected[n] = stats.Unconditional(n)
				}
				r := stats.Exactly(n, changed*up, changed*(1-up), rejected[n])
				p.say("| %.0f %% | %.0f %% | %d | %.1f | %.1f | %.1f | %.1f | %.1f |\n", 100*changed, 100*up, n, changed*float64(n),
					100*r.Coverage, 100*r.MidP, 100*r.Exact, 100*r.Unconditional)
				least = min(least, r.Coverage)
				if n == 20 {
					under = max(under, r.Unconditional-r.MidP)
				}
				what := fmt.Sprintf("%v of %d change, %v up", changed, n, up)
				if r.Coverage < 0.93 || changed*float64(n) >= 10 && r.Coverage > 0.98 {
					p.t.Errorf("%s: coverage %v, want 0.93 to 0.97", what, r.Coverage)
				}
				if up == 0.5 && r.MidP > 0.05 || r.MidP < r.Exact {
					p.t.Errorf("%s: mid-p rejects %v, exact p %v", what, r.MidP, r.Exact)
				}
			}
		}
	}
	p.say("\nThe interval never holds the truth less often than %.1f %%. With fewer than about ten changes to be expected it holds "+
		"it more often than 97 %%, and any interval that agrees with a test at 5 %% does: if two cases change, nothing can be shown. "+
		"Mid-p has never less power than the exact p, and with 20 cases as much as the unconditional test (%.1f points less at most). "+
		"With 50, 200 and 300 cases that one counts four changes of four as shown, with 20 and 100 it does not; mid-p asks for five "+
		"whatever the number of cases, so that there it shows less.\n", 100*least, 100*under)
}
