package words

// DatasetFrom says where a dataset is: "upload", "folder", or "" for one that only runs
// know.
func (w Words) DatasetFrom(from string) string { return w.Say("DatasetFrom", v{"from": from}) }

// SeveralContents says that a dataset had several contents in its runs.
func (w Words) SeveralContents(n int) string { return w.Say("SeveralContents", v{"n": n}) }

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
