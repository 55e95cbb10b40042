package words

// trends are the words about a metric over time, and about quality against cost.
type trends interface {
	TrendNames() TrendNames
	// TrendChanged says that the level of a metric changed.
	TrendChanged(c TrendChange) string
	// TrendStable says that runs show no change.
	TrendStable(metric string, runs int) string
	// TrendFew says that the runs are too few to show one.
	TrendFew(metric string, runs, needed int) string
	// TrendAlone says that every run has a name of its own.
	TrendAlone() string
	// TrendBand says how far runs of an unchanged system differ; half is "0" if they do not.
	TrendBand(half string) string
	// TrendApart says why the runs from a day on cannot be compared with those before. The
	// kinds are dataset, cases, metric and judge.
	TrendApart(day string, kinds []string) string
	// TrendPicture describes the picture: its metric and the number of runs.
	TrendPicture(metric string, runs int) string
	// Partial says that a run has values of other numbers of cases than the others.
	Partial(n int) string
	// FrontierFront names the targets that no other beats.
	FrontierFront(names []string, of int) string
	// FrontierBehind says that a target beats another: by a quality shown to be better, by
	// less cost or, if timed is set, latency, or by both.
	FrontierBehind(metric, ahead, behind string, quality, less, timed bool) string
	// FrontierTied names targets whose quality cannot be told apart.
	FrontierTied(metric, one string, others []string) string
	// FrontierOne says that there is nothing to compare.
	FrontierOne() string
	// FrontierNote says what the marks and intervals are.
	FrontierNote(level string) string
	// FrontierOmitted counts the targets that are not shown: without a known cost or latency,
	// with other data, and older ones.
	FrontierOmitted(unknown, elsewhere, more int) []string
}

// A TrendChange is a change of the level of a metric, as it is shown.
type TrendChange struct {
	Metric, Before, After, P string
	// Difference is its interval; "" if the runs are too few.
	Difference string
	// Last and First are the runs beside it, Day is that of the latter; "" if they are times.
	Last, First, Day        string
	RunsBefore, RunsAfter   int
	Rose, Better, Gradually bool
	// Estimate is set if the metric is one, whose change does not show that of quality.
	Estimate bool
}

// TrendNames are the labels of the pages of trends and of the frontier.
type TrendNames struct {
	TrendTitle, FrontierTitle                                         string
	OverTime                                                          string
	RunName, AnyName, By, NamesApart, NamesTogether                   string
	Started, Change, Series, CompareAcross, CompareAll, Legend, Means string
	NoRuns, NoRunsHow, NoneFits                                       string
	Axis, Cost, Latency, BeatenBy, Tied, NoCost, NoCostHow, Nobody    string
}
