package words

// TrendChanged says that the level of a metric changed.
func (w Words) TrendChanged(c TrendChange) string { return w.Say("TrendChanged", c) }

// TrendStable says that runs show no change.
func (w Words) TrendStable(metric string, runs int) string {
	return w.Say("TrendStable", v{"metric": metric, "runs": runs})
}

// TrendFew says that the runs are too few to show one.
func (w Words) TrendFew(metric string, runs, needed int) string {
	return w.Say("TrendFew", v{"metric": metric, "runs": runs, "needed": needed})
}

// TrendBand says how far runs of an unchanged system differ; half is "0" if they do not.
func (w Words) TrendBand(half string) string { return w.Say("TrendBand", v{"half": half}) }

// TrendApart says why the runs from a day on cannot be compared with those before. The
// kinds are dataset, cases, metric and judge.
func (w Words) TrendApart(day string, kinds []string) string {
	var why []string
	for _, kind := range kinds {
		why = append(why, w.Say("TrendApart."+kind, nil))
	}
	return w.Say("TrendApart.since", v{"day": day, "why": why})
}

// TrendPicture describes the picture: its metric and the number of runs.
func (w Words) TrendPicture(metric string, runs int) string {
	return w.Say("TrendPicture", v{"metric": metric, "runs": runs})
}

// Partial says that a run has values of other numbers of cases than the others.
func (w Words) Partial(n int) string { return w.Say("Partial", v{"n": n}) }

// FrontierFront names the targets that no other beats. unranked is why they are not ranked, or "".
func (w Words) FrontierFront(names []string, of int, unranked string) string {
	return w.Say("FrontierFront", v{"names": w.List(names, 0), "all": len(names) == of, "of": of, "unranked": unranked})
}

// FrontierBehind says that a target beats another: by a quality shown to be better, by
// less cost or, if timed is set, latency, by both, or else by the other of cost and latency.
func (w Words) FrontierBehind(metric, ahead, behind string, quality, less, timed bool) string {
	return w.Say("FrontierBehind", v{"metric": metric, "ahead": ahead, "behind": behind, "quality": quality, "less": less, "timed": timed})
}

// FrontierTied names targets whose quality cannot be told apart.
func (w Words) FrontierTied(metric, one string, others []string) string {
	return w.Say("FrontierTied", v{"metric": metric, "one": one, "others": w.List(others, 0)})
}

// FrontierNote says what the marks and intervals are.
func (w Words) FrontierNote(metric string) string { return w.Say("FrontierNote", v{"metric": metric}) }

// FrontierOmitted counts the targets that are not shown: without a known cost or latency,
// with other data, and older ones.
func (w Words) FrontierOmitted(unknown, elsewhere, more int) (out []string) {
	w.add(&out, unknown > 0, "FrontierOmitted.unknown", v{"n": unknown})
	w.add(&out, elsewhere > 0, "FrontierOmitted.elsewhere", v{"n": elsewhere})
	w.add(&out, more > 0, "FrontierOmitted.more", v{"n": more})
	return out
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
