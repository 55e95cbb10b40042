package words

import (
	"fmt"
	"math"
)

func (English) StartNames() StartNames {
	return StartNames{
		Title: "Start a run", NewRun: "New run", What: "What is asked", Dataset: "Dataset", Target: "Target", Own: "the server's own settings",
		Metrics: "Metrics", MetricsHow: "Without a choice, those that fit the labels of the dataset.", OtherMetrics: "Other metrics, by name",
		Judge: "Judge", AsTarget: "as the target has it", Name: "Name", Repeat: "Draws of each case", Sample: "Random sample of cases",
		Seed: "Seed", MaxCost: "Limit of the cost, in dollars", More: "Other settings", MoreHow: "one a line, such as top-k=5",
		AllCases: "all", NoLimit: "none", Estimate: "Estimate",
		EstimateHow: "All is checked, and the target is asked one case. No judge is asked. Nothing starts yet.",
		Estimated:   "What it would take", ByMetric: "Metric", Together: "Together", Pipeline: "Stages of the pipeline", Calls: "Calls",
		Input: "Tokens in", Output: "Tokens out", Cost: "Cost", NotPriced: "not known", TargetCost: "What the target itself costs is not known.",
		Canaries:    "Canaries, after the cases",
		CanaryNote:  "The canaries tell whether the judge has changed. The first run of a judge asks them twice.",
		LedgerNote:  "Each metric is counted as if it were alone; metrics share calls. Replies that the ledger has already are not paid for again.",
		UnknownTime: "How long it takes is not known: no earlier run has the same target, settings, documents, judge and metrics.",
		AsRun:       "as an earlier run took", Unmet: "The gate cannot be met", Warnings: "Remarks", Judged: "judge", Confirm: "Start the run",
		Problems: "This cannot start:", CannotStart: "You cannot start a run here.",
		NeedsRun: "Your token does not allow it: a token of scope run does (assay token create --scope run).",
		OnlyView: "This server shows runs and starts none: assay serve starts them.", NoDatasets: "The server has no dataset:",
		Cancel: "Cancel the run", CancelHow: "Cases in flight are finished and kept.", RunAgain: "Run again",
		NotAsked: "Choose “Estimate” to see what this would take.",
	}
}

func (English) MetricGroup(group string) string { return group }

func (English) MetricNeed(need string) string { return need }

func (e English) Questions(cases, draws int, adapter string) string {
	if draws > 1 {
		return fmt.Sprintf("%s × %d draws: the target (%s) is asked %d times.", e.Cases(cases), draws, adapter, cases*draws)
	}
	return fmt.Sprintf("%s: the target (%s) is asked %s.", e.Cases(cases), adapter, timesWord(cases))
}

func timesWord(n int) string {
	if n == 1 {
		return "once"
	}
	return fmt.Sprintf("%d times", n)
}

func (English) TargetAnswered(caseID string) string {
	return "It was asked the case " + caseID + ", and gave a response."
}

func (English) TargetSilent(caseID, why string) string {
	return "It was asked the case " + caseID + ", and gave no response: " + why
}

func (English) JudgeAsked(judging, judge string, passes int) string {
	switch judging {
	case "none":
		return "No metric is judged."
	case "unjudged":
		return "There is no judge: judged metrics are not measured."
	case "formulas":
		return "Formulas judge, as estimates, which costs nothing."
	}
	return fmt.Sprintf("%s judges, in up to %s.", judge, plural(passes, "pass", "passes"))
}

func (e English) CountedFrom(sampled, cases int, responses bool) string {
	if responses {
		return fmt.Sprintf("Counted from %d of %s, by asking a stand-in about responses of the target.", sampled, e.Cases(cases))
	}
	return fmt.Sprintf("Counted from %d of %s, by asking a stand-in about one response of the target, or one of a usual size.", sampled, e.Cases(cases))
}

func (English) AtMostCalls(calls int) string {
	return fmt.Sprintf("If the passes of the judge never agree, it is %d calls.", calls)
}

func (English) LadderAsks(times int) string {
	if times > 1 {
		return fmt.Sprintf("For each wrong answer the ladder asks again, stage by stage, each up to %d times. That is not in these figures.", times)
	}
	return "For each wrong answer the ladder asks again, stage by stage. That is not in these figures."
}

func (English) ExpectedCost(cost string, priced bool) string {
	if !priced {
		return "The cost is not known, because the price of a model is not: at least ≈\u00a0" + cost + "."
	}
	return "Models cost ≈\u00a0" + cost + "."
}

func (English) OverLimit(limit string) string {
	return "The limit of " + limit + " is below that: the run would stop when it is reached, and could be resumed with a higher one."
}

func (English) Takes(seconds float64) string {
	return "It takes ≈ " + about(seconds, "s", "min", "h")
}

// about rounds a duration to one unit.
func about(seconds float64, s, minute, h string) string {
	switch {
	case seconds < 90:
		return fmt.Sprintf("%d %s", int(math.Ceil(seconds)), s)
	case seconds < 90*60:
		return fmt.Sprintf("%d %s", int(math.Round(seconds/60)), minute)
	}
	return fmt.Sprintf("%.1f %s", seconds/3600, h)
}

func (e English) StartWith(cases, calls int, cost string) string {
	out := "Start the run: " + e.Cases(cases)
	if calls > 0 {
		out += fmt.Sprintf(", ≈ %s of models, %s", plural(calls, "call", "calls"), cost)
	}
	return out
}
