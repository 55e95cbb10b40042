package words

// starts are the words of the page that starts a run.
type starts interface {
	StartNames() StartNames
	// MetricGroup and MetricNeed translate a heading of the list of metrics and a label that a
	// metric needs.
	MetricGroup(group string) string
	MetricNeed(need string) string
	// Questions counts what the target is asked.
	Questions(cases, draws int, adapter string) string
	// TargetAnswered says whether the target gave a response to the case that it was asked.
	TargetAnswered(caseID string) string
	TargetSilent(caseID, why string) string
	// JudgeAsked says who judges: "none", "unjudged", "formulas", or the name of a model.
	JudgeAsked(judging, judge string, passes int) string
	// Counted says on how many cases the figures rest, and whether on responses of the target.
	CountedFrom(sampled, cases int, responses bool) string
	// AtMostCalls says how many calls there are if the passes of a judge never agree.
	AtMostCalls(calls int) string
	// LadderAsks says that a ladder asks again up to so many times.
	LadderAsks(times int) string
	// ExpectedCost gives the expected cost; priced is false if a price is not known.
	ExpectedCost(cost string, priced bool) string
	// OverLimit says that the expected cost is above the limit.
	OverLimit(limit string) string
	// Takes gives the expected duration in seconds, as that of an earlier run.
	Takes(seconds float64) string
	// StartWith is the text of the button that starts the run.
	StartWith(cases, calls int, cost string) string
}

// StartNames are the labels of the page that starts a run.
type StartNames struct {
	Title, NewRun, What, Dataset, Target, Own, Metrics, MetricsHow, OtherMetrics, Judge, AsTarget, Name, Repeat, Sample, Seed, MaxCost string
	More, MoreHow, AllCases, NoLimit, Estimate, EstimateHow, Estimated, ByMetric, Together, Pipeline, Calls, Input, Output, Cost       string
	NotPriced, TargetCost, LedgerNote, UnknownTime, AsRun, Unmet, Warnings, Judged, Confirm, Problems, CannotStart, NeedsRun           string
	Canaries, CanaryNote, OnlyView, NoDatasets, Cancel, CancelHow, RunAgain, NotAsked                                                  string
}
