package words

// TrendApart says why the runs from a day on cannot be compared with those before. The
// kinds are dataset, cases, metric and judge.
func (w Words) TrendApart(day string, kinds []string) string {
	var why []string
	for _, kind := range kinds {
		why = append(why, w.Say("TrendApart."+kind, nil))
	}
	return w.Say("TrendApart.since", v{"day": day, "why": why})
}

// FrontierOmitted counts the targets that are not shown: without a known cost or latency,
// with other data, and older ones.
func (w Words) FrontierOmitted(unknown, elsewhere, more int) (out []string) {
	w.add(&out, unknown > 0, "FrontierOmitted.unknown", v{"n": unknown})
	w.add(&out, elsewhere > 0, "FrontierOmitted.elsewhere", v{"n": elsewhere})
	w.add(&out, more > 0, "FrontierOmitted.more", v{"n": more})
	return out
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
