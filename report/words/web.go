package words

import (
	"fmt"
	"math"

	"github.com/assay-eval/assay"
)

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

// MetricGroup and MetricNeed translate a heading of the list of metrics and a label that a
// metric needs.
func (w Words) MetricGroup(group string) string {
	return w.told("MetricGroup", group, v{"group": group})
}
func (w Words) MetricNeed(need string) string { return w.told("MetricNeed", need, v{"need": need}) }

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

// LabelQuestion is what people decide about a case for a metric with the title.
func (w Words) LabelQuestion(q assay.LabelQuestion, title string) string {
	return w.told("LabelQuestion", string(q), v{"title": title})
}

// LabelConflict says what a label was changed to, and what it was to be.
func (w Words) LabelConflict(is, yours string) string {
	return w.Say("LabelConflict", v{"is": is, "yours": yours})
}

// LabNames are the labels of the judge lab.
type LabNames struct {
	Title, Intro, Metric, Labels, NoRuns, NoRunsHow, LabelCases string
	// The outcome.
	Measure, Value, Interval, N, Agreement, Kappa, AC1, AUROC, Spearman, WeightedKappa, Alpha         string
	People, Judge, PeopleRight, PeopleWrong, Warnings, Validated, NotValidated, Export, NoLabelsCount string
	KappaNote, AC1Note, Case, Score, Label, RunGoesOn                                                 string
	// Labelling.
	Question, Answer, Reference, Passages, NoAnswer, Yes, No, Right, Wrong, Unsure, Skip, Undo, Note, SaveNote, Random, MostUnsure string
	Order, Blind, BlindOff, SightedOn, Reveal, Revealed, JudgeScore, Others, Mine, AllDone, ToOutcome, MayNot                      string
	Saved, Unsaved, SignedOut, Waiting, NotSaved, Withdrawn, RandomWhy, UnsureWhy                                                  string
}

// LabKeys are what the keys of the judge lab do.
type LabKeys struct{ KeyLab, KeyRight, KeyWrong, KeyUnsure, KeySkip, KeyUndo, KeyNote, KeyBlind string }

// PointNames are the labels of the pages where people edit points.
type PointNames struct {
	// The list.
	Points, Intro, Case, Question, Find, NoCases, ByPeople string
	// The editor.
	How, Text, Importance, Vital, Okay, Passage, NoPassage, Answer, Passages, You string
	Save, NoPoints, MayNot, Locked, Mistakes, Theirs, Unsaved                     string
}

// DatasetFrom says where a dataset is: "upload", "folder", or "" for one that only runs
// know.
func (w Words) DatasetFrom(from string) string { return w.Say("DatasetFrom", v{"from": from}) }

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

// ShellNames are the labels of what every page of the web interface has.
type ShellNames struct {
	// The search. SearchHow says what it covers.
	Search, SearchHint, SearchHow, NothingFound, Reference string
	// Sharing a page.
	Share, CopyLink string
	// A page that takes long. Preparing is its title, and Calculating what it does once all is read.
	Preparing, Calculating, OpensWhenReady string
}

// SliceOf describes the cases of a slice: "tag chinese", "questions with the word ferry".
// kind is that of [github.com/assay-eval/assay/summary/explore.Kind]; from and to bound
// the length of the question, to is 0 without an upper bound.
func (w Words) SliceOf(kind, value string, from, to int) string {
	data := v{"value": value, "script": "", "from": from, "to": to}
	if kind == "script" {
		data["script"] = w.Say("SliceScript."+value, nil)
	}
	return w.told("SliceOf", kind, data)
}

// SliceNames are the labels of the lists of slices.
type SliceNames struct {
	Title, Slice, Inside, Others, Difference, Change, OtherChange, QValue, Also, Open string
	// Estimates is said where all metrics are estimates, Later of a run that is not finished.
	Estimates, Later string
}

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
