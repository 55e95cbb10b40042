package words

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/assay-eval/assay/report/document"
)

func (e English) Lookup(n, of int) document.LookupWords {
	all := e.Cases(n)
	some := "# of " + all
	if n < of {
		all, some = all+" on this page", "# of the "+all+" on this page"
	}
	return document.LookupWords{
		Form: "Choose cases", Search: "Search", Hint: "id, question or answer",
		NoScript:     "Search and the details of cases need JavaScript. Nothing is loaded from the network.",
		PreviousPage: "Previous page", NextPage: "Next page", PreviousCase: "Previous case (k)", NextCase: "Next case (j)",
		Close: "Close", NoCase: "No case matches.", All: all, Some: some,
	}
}

func (English) CasesHeld(h Held) string {
	var parts []string
	switch {
	case h.Critical < h.CriticalOf:
		parts = append(parts, fmt.Sprintf("%d of the %d critical cases that failed", h.Critical, h.CriticalOf))
	case h.Critical == 1:
		parts = append(parts, "the critical case that failed")
	case h.Critical > 1:
		parts = append(parts, fmt.Sprintf("all %d critical cases that failed", h.Critical))
	}
	for _, x := range []struct {
		n    int
		said string
	}{
		{h.Worst, "the %d worst (not ok, then wrong, then by score)"}, {h.Changed, "the %d that changed most"},
		{h.Missed, "%d that every run misses"}, {h.Drawn, "%d drawn at random from the rest (seed " + strconv.FormatUint(h.Seed, 10) + ")"},
	} {
		if x.n > 0 {
			parts = append(parts, fmt.Sprintf(x.said, x.n))
		}
	}
	return fmt.Sprintf("This page holds %d of %d cases: %s. The search, the filters and the order of the table know only these. All cases:",
		h.N, h.Of, strings.Join(parts, ", then "))
}

func (English) PageNames() PageNames {
	return PageNames{
		WhyFailed: "Reason of failure",
		Any:       "any", Case: "Case", Question: "Question", Status: "Status", Critical: "critical", Slow: "slow", Metric: "Metric",
		Below: "below", Order: "Order", LowestFirst: "lowest first", AsInDataset: "as in the dataset", Time: "Time",
		Run: "Run", Outcome: "Outcome", Better: "better", Worse: "worse", Same: "same", Changed: "changed",
		Missed: "missed by every run", Unpaired: "in one run only", Drawn: "drawn at random",
		Score: "Score", Reason: "Reason", Tags: "Tags", Notes: "Notes", Prompt: "Prompt", Input: "Input", Output: "Output",
		Unnamed: "unnamed",
		Answers: "Answers", Baseline: "baseline", NotRun: "not run", CaseNotRun: "this case was not run", NoResponse: "no response",
		NotRecorded: "the answer was not recorded", Unsolved: "no run solves this case",
	}
}

func (e English) Agree(cases, runs int, scores []string) string {
	if runs > 1 {
		return fmt.Sprintf("all runs agree on all %s: %s", e.Cases(cases), strings.Join(scores, ", "))
	}
	return fmt.Sprintf("all %s agree: %s", e.Cases(cases), strings.Join(scores, ", "))
}

func (English) FirstDraw(draws int) string {
	return fmt.Sprintf("the first of %d draws; scores are their mean", draws)
}
