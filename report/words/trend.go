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

// TrendNames are the labels of the pages about several runs.
type TrendNames struct {
	TrendTitle, FrontierTitle                             string
	OverTime                                              string
	RunName, AnyName, By, NamesApart, NamesTogether       string
	Started, Change, Series, CompareAcross, Legend, Means string
	NoRuns, NoRunsHow, NoneFits                           string
}
