package words

import (
	"fmt"
	"math"
)

// MetricGroup and MetricNeed translate a heading of the list of metrics and a label that a
// metric needs.
func (w Words) MetricGroup(group string) string {
	return w.told("MetricGroup", group, v{"group": group})
}
func (w Words) MetricNeed(need string) string { return w.told("MetricNeed", need, v{"need": need}) }

// Questions counts what the target is asked.
func (w Words) Questions(cases, draws int, adapter string) string {
	return w.Say("Questions", v{"cases": cases, "draws": draws, "adapter": adapter, "times": cases * max(draws, 1)})
}

// TargetAnswered says whether the target gave a response to the case that it was asked.
func (w Words) TargetAnswered(caseID string) string {
	return w.Say("TargetAnswered", v{"caseID": caseID})
}
func (w Words) TargetSilent(caseID, why string) string {
	return w.Say("TargetSilent", v{"caseID": caseID, "why": why})
}

// JudgeAsked says who judges: "none", "unjudged", "formulas", or the name of a model.
func (w Words) JudgeAsked(judging, judge string, passes int) string {
	return w.Say("JudgeAsked", v{"judging": judging, "judge": judge, "passes": passes})
}

// CountedFrom says on how many cases the figures rest, and whether on responses of the target.
func (w Words) CountedFrom(sampled, cases int, responses bool) string {
	return w.Say("CountedFrom", v{"sampled": sampled, "cases": cases, "responses": responses})
}

// AtMostCalls says how many calls there are if the passes of a judge never agree.
func (w Words) AtMostCalls(calls int) string { return w.Say("AtMostCalls", v{"calls": calls}) }

// LadderAsks says that a ladder asks again up to so many times.
func (w Words) LadderAsks(times int) string { return w.Say("LadderAsks", v{"times": times}) }

// ExpectedCost gives the expected cost; priced is false if a price is not known.
func (w Words) ExpectedCost(cost string, priced bool) string {
	return w.Say("ExpectedCost", v{"cost": cost, "priced": priced})
}

// OverLimit says that the expected cost is above the limit.
func (w Words) OverLimit(limit string) string { return w.Say("OverLimit", v{"limit": limit}) }

// Takes gives the expected duration in seconds, as that of an earlier run.
func (w Words) Takes(seconds float64) string {
	switch {
	case seconds < 90:
		return w.Say("Takes.seconds", v{"n": int(math.Ceil(seconds))})
	case seconds < 90*60:
		return w.Say("Takes.minutes", v{"n": int(math.Round(seconds / 60))})
	}
	return w.Say("Takes.hours", v{"n": fmt.Sprintf("%.1f", seconds/3600)})
}

// StartWith is the text of the button that starts the run.
func (w Words) StartWith(cases, calls int, cost string) string {
	return w.Say("StartWith", v{"cases": cases, "calls": calls, "cost": cost})
}

// StartNames are the labels of the page that starts a run.
type StartNames struct {
	Title, NewRun, What, Dataset, Target, Own, Metrics, MetricsHow, OtherMetrics, Judge, AsTarget, Name, Repeat, Sample, Seed, MaxCost string
	More, MoreHow, AllCases, NoLimit, Estimate, EstimateHow, Estimated, ByMetric, Together, Pipeline, Calls, Input, Output, Cost       string
	NotPriced, TargetCost, LedgerNote, UnknownTime, AsRun, Unmet, Warnings, Judged, Confirm, Problems, CannotStart, NeedsRun           string
	Canaries, CanaryNote, OnlyView, NoDatasets, Cancel, CancelHow, RunAgain, NotAsked                                                  string
}
