package words

import "github.com/assay-eval/assay"

// webs are the words of the web interface. Everything else that its pages say is in the
// catalogue of the reports.
type webs interface {
	WebNames() WebNames
	// CasesFound counts the cases that a filter selects: "12 of 46 cases".
	CasesFound(n, of int) string
	// DrawsListed says that a list has every draw of a case.
	DrawsListed(draws int) string
	// RunsFound counts runs: "3 of 12 runs".
	RunsFound(n, of int) string
	// PageOf is the number of a page of a list: "page 2 of 40".
	PageOf(page, pages int) string
	// PlaceOf is the place of a case in a list: "3 of 16".
	PlaceOf(place, of int) string
	// SoFar says how many of the cases of a run are done, and how many of them have no
	// response.
	SoFar(done, of, failed int) string
	// WithoutTerm counts the cases that a filter would select without one of its terms.
	WithoutTerm(term string, n int) string
	// Correct says whether a case is right.
	Correct(a assay.Correctness) string
	// MarkRun and RemoveTerm are labels of controls.
	MarkRun(name string) string
	RemoveTerm(term string) string
	// BinOf describes a part of the histogram of a metric: "0.50 to 0.55: 12 cases".
	BinOf(from, to string, cases int) string
}

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
	AllCases, ReportFiles, RunsOn, NoEstimatesYet, NoVerdictYet string
	// LivePace has {rate} and {left} in it; LiveLost says that the page no longer follows the run.
	LivePace, LiveLost string
	// The cases of a run.
	Filter, FilterHint, Facets, Status, Answers, Stage, Tag, Metrics, NoCaseFits, NoCaseYet, MapHint string
	SortBy, Columns                                                                                  string
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
