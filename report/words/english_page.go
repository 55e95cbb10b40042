package words

import (
	"fmt"
	"strings"

	"github.com/assay-eval/assay/report/document"
)

func (e English) Lookup(cases int) document.LookupWords {
	all := e.Cases(cases)
	return document.LookupWords{
		Form: "Choose cases", Search: "Search", Hint: "id, question or answer",
		NoScript:     "Search and the details of cases need JavaScript. Nothing is loaded from the network.",
		PreviousPage: "Previous page", NextPage: "Next page", PreviousCase: "Previous case (k)", NextCase: "Next case (j)",
		Close: "Close", NoCase: "No case matches.", All: all, Some: "# of " + all,
	}
}

func (English) CasesHeld(n, of int, changed bool) string {
	which := "lowest"
	if changed {
		which = "most changed"
	}
	return fmt.Sprintf("This page holds the %d %s of %d cases. The JSON and CSV reports hold all cases.", n, which, of)
}

func (English) PageNames() PageNames {
	return PageNames{
		WhyFailed: "Reason of failure", Wrong: "wrong answer",
		Any: "any", Case: "Case", Question: "Question", Status: "Status", Critical: "critical", Slow: "slow", Metric: "Metric",
		Below: "below", Order: "Order", LowestFirst: "lowest first", AsInDataset: "as in the dataset", Time: "Time",
		Run: "Run", Outcome: "Outcome", Better: "better", Worse: "worse", Same: "same", Changed: "changed",
		Missed: "missed by every run", Unpaired: "in one run only",
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
