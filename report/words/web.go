package words

import "github.com/assay-eval/assay"

// CasesFound counts the cases that a filter selects, or their draws: "12 of 46 cases".
func (w Words) CasesFound(n, of int, draws bool) string {
	return w.Say("CasesFound", v{"n": n, "of": of, "draws": draws})
}

// RunsFound counts runs: "3 of 12 runs".
func (w Words) RunsFound(n, of int) string { return w.Say("RunsFound", v{"n": n, "of": of}) }

// Correct says whether a case is right.
func (w Words) Correct(a assay.Correctness) string { return w.Say("Correct", a) }

// MarkRun and RemoveTerm are labels of controls.
func (w Words) MarkRun(name string) string { return w.Say("MarkRun", v{"name": name}) }

// WebNames are the labels of the web interface.
type WebNames struct {
	LabKeys
	// The head of every page.
	Skip, Pages, Runs, Compare, Settings, Keys, SignOut string
	Trends, Frontier                                    string
	// The list of runs.
	RunsTitle, Run, Dataset, Target, Cases, Mean, Verdict, State, Any, Name, NameHint, Apply, Clear string
	CompareMarked, MarkHint, NoRuns, NoRunsHow, NoRunFits, Newest                                   string
	PreviousPage, NextPage                                                                          string
	// A run.
	AllCases, ReportFiles, RunsOn, NoVerdictYet string
	// LivePace has {rate} and {left} in it; LiveLost says that the page no longer follows the run.
	LivePace, LiveLost string
	// The cases of a run.
	Filter, FilterHint, Facets, Status, Answers, Stage, Tag, Metrics, NoCaseFits, NoCaseYet string
	SortBy, Columns                                                                         string
	// A case.
	Answer, Passages, Scores, Stages, Previous, Next, KeyClaim, KeyClaimBefore string
	// Comparisons.
	Forest, Matrix, Different, NewlyRight, NewlyWrong, BothWrong, BothRight, Unknown, Unpaired, Flaky, Disagree, All, Difference, Baseline string
	SettingsDiffer, NoSettingDiffers, Exploratory, InSelection, ChangeOrder, LossOrder                                                     string
	ChooseRuns, ChooseRunsHow, OnlyHere, DatasetOrder, OpenCase                                                                            string
	// Settings of the reader.
	SettingsTitle, Language, Theme, LightTheme, DarkTheme, SystemTheme, Shortcuts, On, Off, Save, Saved string
	// Signing in.
	SignIn, SignInHow, Token, WrongToken string
	// Errors.
	ErrorTitle, Retry, StoreAway string
	// The help on keys.
	KeysTitle, KeyHelp, KeyFilter, KeyRuns, KeyNext, KeyPrevious, KeyOpen, KeyBack, KeyMark, KeyCompare, KeyLink, KeyPassage, KeyClass, KeyDiff, ShowDiff, HideDiff, KeySearch string
	LinkCopied, Loading, Loaded, Failed                                                                                                                                        string
	// The keys of the datasets and of a new run.
	KeyDatasets, KeyNew string
}
