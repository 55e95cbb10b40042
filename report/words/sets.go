package words

// DatasetFrom says where a dataset is: "upload", "folder", or "" for one that only runs
// know.
func (w Words) DatasetFrom(from string) string { return w.Say("DatasetFrom", v{"from": from}) }

// SetsFound counts datasets: "3 datasets".
func (w Words) SetsFound(n int) string { return w.Say("SetsFound", v{"n": n}) }

// ContentOf describes a content of a dataset by its cases and the runs over it.
func (w Words) ContentOf(cases, runs int) string {
	return w.Say("ContentOf", v{"cases": cases, "runs": runs})
}

// SeveralContents says that a dataset had several contents in its runs.
func (w Words) SeveralContents(n int) string { return w.Say("SeveralContents", v{"n": n}) }

// DoubtsRest says on which runs doubts rest: read of all finished ones, which asked a
// number of systems.
func (w Words) DoubtsRest(read, all, systems int) string {
	return w.Say("DoubtsRest", v{"read": read, "all": all, "systems": systems})
}

// DoubtsBy adds to a rule of the outcome what does not count.
func (w Words) DoubtsBy(rule string) string { return w.Say("DoubtsBy", v{"rule": rule}) }

// AlwaysWrong says how many of the cases that enough runs decide on all of them get wrong.
func (w Words) AlwaysWrong(n, of int) string { return w.Say("AlwaysWrong", v{"n": n, "of": of}) }

// DoubtsNeed says from how many runs and systems cases count as wrong everywhere, where
// no case has as many.
func (w Words) DoubtsNeed(runs, systems int) string {
	return w.Say("DoubtsNeed", v{"runs": runs, "systems": systems})
}

// ComesOutDifferently says how many of the repeated cases are flaky.
func (w Words) ComesOutDifferently(n, of int) string {
	return w.Say("ComesOutDifferently", v{"n": n, "of": of})
}

// JudgeDoubts says on how many cases a judge often failed to rule; least is how often.
func (w Words) JudgeDoubts(n, of, least int) string {
	return w.Say("JudgeDoubts", v{"n": n, "of": of, "least": least})
}

// InRuns and the two below it are about one case.
func (w Words) InRuns(runs, systems int) string {
	return w.Say("InRuns", v{"runs": runs, "systems": systems})
}
func (w Words) TimesRight(right, wrong int) string {
	return w.Say("TimesRight", v{"right": right, "wrong": wrong})
}
func (w Words) NotRuled(n, of int) string { return w.Say("NotRuled", v{"n": n, "of": of}) }

// AllOf is the text of a link to a whole list.
func (w Words) AllOf(n int) string { return w.Say("AllOf", v{"n": n}) }

// FindingsOf counts what checks found.
func (w Words) FindingsOf(wrong, doubtful int) string {
	return w.Say("FindingsOf", v{"wrong": wrong, "doubtful": doubtful})
}

// CheckTitle says what a check of a dataset finds, CheckFix what to do about it; "" of an
// unknown check.
func (w Words) CheckTitle(check string) string { return w.told("CheckTitle", check, nil) }
func (w Words) CheckFix(check string) string   { return w.told("CheckFix", check, nil) }

// SetNames are the labels of the pages about datasets.
type SetNames struct {
	// The list.
	Datasets, Where, UsedRuns, LastRun, NoDatasets, NoDatasetsHow, Content string
	// A dataset.
	Contents, Labels, Critical, Tags, Unused, Doubts, Unsolved, Flaky, Unruled, Outcome, Question string
	HardOrWrong, FlakyWhy, UnruledWhy, NeverRepeated, NoUnsolved, NoFlaky, NoUnruled, BackToAll   string
	Findings, FindingsHow, NoFindings, OtherContent, Wrong, Doubtful, NotReadable, FileElsewhere  string
}
