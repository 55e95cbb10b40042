//go:build results

package stats_test

import "fmt"

// head is the beginning of the page, with what it comes to.
func (p *page) head() string {
	return "# Do the statistics lie?\n\n" +
		"This page is written by the command at its end, which simulates; CI runs it too and fails when a share differs from this page by " +
		"more than 0.4 points or leaves its goal. All draws are seeded.\n\n" +
		"In short:\n\n" +
		fmt.Sprintf("- A system compared with itself is called different in %s of comparisons at the 5 %% level, on real scores (goal: 3 to "+
			"7 %%).\n", span(p.alarm)) +
		fmt.Sprintf("- Of five metrics that do not differ, at least one is called different in %s of comparisons (goal: 5 %%), and all five "+
			"intervals hold in %s, whether they differ or not (goal: 95 %%).\n", span(p.familywise), span(p.simultaneous)) +
		fmt.Sprintf("- The statistical gate passes a system that is worse by the margin in %s of runs (goal: 7 %% at most); a gate that "+
			"only looks at the mean passes it in about half.\n", span(p.worse)) +
		fmt.Sprintf("- That holds too when a system loses a few cases entirely and nothing else changes: it passes %s. Hits that are fewer by "+
			"the margin pass in 5 %% at most, whatever share of cases flips.\n", span(p.losses)) +
		fmt.Sprintf("- Looking after every case is wrong in %s of runs with the confidence sequence (goal: 7 %% at most), and in about four "+
			"of ten with an interval for one look.\n", span(p.sequence)) +
		"- With few cases that differ, nothing is safe: below 50 a comparison warns.\n"
}

func (p *page) foot() {
	p.say("\n## Write this page again\n\n```\ngo test -tags results -run TestResults ./stats -update\n```\n\n" +
		"The scores of `stats/" + scoresFile + "` are those of two runs, which the same command repeats:\n\n```\n")
	for _, retriever := range []string{"sparse", "dense"} {
		p.say("assay %s --dataset $ASSAY_SHARED/data/retrieval/scifact --retriever %s\n", scoresCommand, retriever)
	}
	p.say("```\n")
}
