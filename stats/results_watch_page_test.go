//go:build results

package stats_test

import (
	"fmt"
	"math"
)

// head is the beginning of the page, with what it comes to.
func (p *watchPage) head() string {
	return "# Watching production: false alarms and delay\n\n" +
		"This page is written by the command at its end, which simulates; CI runs it too and fails when a figure differs from this " +
		"page by more than 1 or leaves its goal. All draws are seeded.\n\n" +
		"`assay watch` alarms when the mean of a score fell below a line. Its detector promises how rare false alarms are on average, " +
		"at every " +
		"sample size and for every distribution of scores between 0 and 1; the formulas are those of `Drift` and `Bounds` in the " +
		"package `stats`. In short:\n\n" +
		fmt.Sprintf("- Scores whose mean is the line itself raise an alarm every %s cases or more on average (promised: 10,000), and "+
			"%s of such series, and of those whose line was learned, alarm within 1,000 cases (promised: at most 10 "+
			"%%).\n", thousands(int(math.Round(p.shortest))), span(p.early)) +
		fmt.Sprintf("- A drop of hits from 0.9 to 0.8 after 10,000 quiet cases is found after %s cases (median / 90th percentile); an "+
			"interval of the whole history takes %s.\n", p.quick, p.late) +
		fmt.Sprintf("- The interval that is shown, looked at after every case, ever misses in %s of runs (promised: at most 5 %%), "+
			"also from the first case on and where failures are rare.\n", span(p.missed)) +
		fmt.Sprintf("- With a line that is learned from 200 cases, less a margin of 0.02, hits that drop from 0.9 to 0.7 are found "+
			"after %s cases, to 0.8 only after %s. With one of 5,000 cases it is %s and %s. A drop that stays above the line is never "+
			"found.\n\n", p.found[1][0], p.found[0][0],
			p.found[1][2], p.found[0][2]) +
		"What the promise assumes: given all cases before it, no case has a mean below the line. That holds for cases that are drawn " +
		"independently, " +
		"or in random order, from traffic that has not got worse. It does not hold for a mean that swings, say between day and night, " +
		"if the line lies " +
		"above the lower of its levels; for a line that was learned from cases unlike the rest; or for scores of a judge that itself " +
		"changed. A change of the " +
		"mix of questions, towards harder ones, lowers the mean as much as a worse system does, and is drift, too: the alarm says " +
		"that the mean fell, not why.\n"
}

func (p *watchPage) foot() {
	p.say("\n## Write this page again\n\n```\ngo test -tags results -run TestResultsWatch ./stats -update\n```\n")
}
