package words

import (
	"fmt"
	"math"
	"strings"

	"github.com/assay-eval/assay/summary"
)

// Difference states in a sentence what the comparison shows about a metric for run
// i, which counts from 1. What is said is chosen and formatted here, each sentence is a message.
func (w Words) Difference(c summary.Comparison, row summary.ComparisonRow, i int) string {
	d, m := row.Differences[i-1], row.MetricInfo
	data := v{
		"old": c.Runs[0], "new": c.Runs[i], "m": m, "d": d, "unit": m.Unit, "from": summary.Amount(m, d.Old), "to": summary.Amount(m, d.New),
		"difference": summary.Signed(m, d.Diff), "level": fmt.Sprintf("%.4g", 100*d.Level), "ci": "", "p": summary.P(d.PAdjusted),
		"near": m.NearChance != "", "tests": 0, "groups": 0, "tolerance": "", "by": "", "most": "", "power": "", "improves": summary.Improves(m, d), "rises": d.Diff > 0,
	}
	if below, ok := strings.CutPrefix(summary.P(d.PAdjusted), "<"); ok {
		data["p"] = "p < " + below
	} else {
		data["p"] = "p = " + summary.P(d.PAdjusted)
	}
	if d.CI != nil {
		data["ci"] = summary.Ends(m, *d.CI)
	}
	shown := summary.Shown(d)
	if !shown && d.P < 1-d.Level {
		data["tests"] = c.Family(m.Name)
	}
	if g := row.Groups(i); g < d.N {
		data["groups"] = g
	}
	if better, worse := summary.Sides(m, d); summary.Disagrees(d) && d.N > 0 {
		name := "Difference.mostWorse"
		if better > worse {
			name = "Difference.mostBetter"
		}
		data["most"] = w.Say(name, v{"better": better, "worse": worse})
	}
	if share, ok := summary.RelativeChange(m, d); ok {
		data["by"] = fmt.Sprintf("%.0f %%", 100*share)
		if share < 0.0995 {
			data["by"] = fmt.Sprintf("%.1f %%", 100*share)
		}
	}
	switch {
	case d.N == 0:
		return w.Say("Difference.nothing", data)
	case m.Estimate:
		return w.Say("Difference.estimate", data)
	}
	data["numbers"] = w.Say("Difference.numbers", data)
	switch {
	case row.NoWorse(i):
		data["tolerance"] = fmt.Sprintf("%g", row.Tolerances[i-1])
		return w.Say("Difference.noWorse", data)
	case shown:
		return w.Say("Difference.shown", data)
	}
	data["power"] = w.detects(row, i)
	return w.Say("Difference.none", data)
}

// detects says what so many cases can detect; "" if that is not known.
func (w Words) detects(row summary.ComparisonRow, i int) string {
	d, groups := row.Differences[i-1], row.Groups(i)
	mde, ok := summary.Detects(row.MetricInfo, d)
	settles, _ := summary.Settles(d)
	data := v{"n": d.N, "groups": groups, "mde": summary.RoundedUp(mde), "unit": row.Unit, "settles": settles}
	switch {
	case d.Wins+d.Losses == 0:
		return w.Say("Difference.power.same", data)
	case d.CI == nil && groups < d.N:
		return w.Say("Difference.power.fewGroups", data)
	case d.CI == nil:
		return w.Say("Difference.power.few", data)
	case !ok:
		return ""
	case math.IsInf(mde, 0):
		return w.Say("Difference.power.none", data)
	}
	return w.Say("Difference.power.detects", data)
}
