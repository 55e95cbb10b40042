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

// AtMostCalls says how many calls there are if the passes of a judge never agree.
func (w Words) AtMostCalls(calls int) string { return w.Say("AtMostCalls", v{"calls": calls}) }

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

// StartNames are the labels of the page that starts a run.
type StartNames struct {
	Title, NewRun, What, Dataset, Target, Own, Metrics, MetricsHow, OtherMetrics, Judge, AsTarget, Name, Repeat, Sample, Seed, MaxCost string
	More, MoreHow, AllCases, NoLimit, Estimate, EstimateHow, Estimated, ByMetric, Together, Pipeline, Calls, Input, Output, Cost       string
	NotPriced, TargetCost, LedgerNote, UnknownTime, AsRun, Unmet, Warnings, Judged, Confirm, Problems, CannotStart, NeedsRun           string
	Canaries, CanaryNote, OnlyView, NoDatasets, Cancel, CancelHow, RunAgain, NotAsked                                                  string
}
