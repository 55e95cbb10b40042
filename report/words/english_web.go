package words

import (
	"fmt"

	"github.com/assay-eval/assay"
)

func (English) WebNames() WebNames {
	return WebNames{
		LabKeys: English{}.labKeys(),

		Skip: "Skip to the content", Pages: "Pages", Runs: "Runs", Compare: "Compare", Settings: "Settings", Keys: "Keys",
		SignOut: "Sign out", Trends: "Trends", Frontier: "Frontier",

		RunsTitle: "Runs", Run: "Run", Dataset: "Dataset", Target: "Target", Cases: "Cases", Mean: "Mean",
		Verdict: "Gate", State: "State", Any: "any", Name: "Search", NameHint: "name, dataset or target", Apply: "Apply", Clear: "Clear",
		CompareMarked: "Compare the marked runs", MarkHint: "Mark two to ten runs to compare them.",
		NoRuns: "There is no run yet.", NoRunsHow: "This makes one, from data that assay has with it:",
		NoRunFits: "No run fits.", Newest: "latest first", PreviousPage: "Previous page", NextPage: "Next page",

		AllCases: "All cases", ReportFiles: "Files", RunsOn: "This run goes on.",
		NoEstimatesYet: "No case is finished yet.", NoVerdictYet: "The gate decides at the end of the run.",
		LivePace: "{rate} cases a second, about {left} left", LiveLost: "The connection is lost. These numbers are old; the page tries again.",

		Filter: "Filter", FilterHint: "mrr<0.5 stage:retrieve -status:error \"refund policy\"",
		Facets: "Narrow down", Status: "Status", Answers: "Answer", Stage: "Lost at", Tag: "Tag", Metrics: "Metrics",
		NoCaseFits: "No case fits.", NoCaseYet: "No case is finished yet.",
		MapHint: "Each cell is a case of the list, from its beginning to its end. Choose a place to go to its page.",
		SortBy:  "Order", Columns: "Columns",

		Answer: "Answer", Passages: "Passages", Scores: "Scores", Stages: "Stages", Previous: "Previous case", Next: "Next case",
		KeyClaim: "next claim of the answer", KeyClaimBefore: "previous claim of the answer",

		Forest: "Differences", Matrix: "Cases", Different: "Different", NewlyRight: "Newly right", NewlyWrong: "Newly wrong",
		BothWrong: "Both wrong", BothRight: "Both right", Unknown: "Unknown in one or both", Unpaired: "In one run only", Flaky: "Flaky",
		Disagree: "People disagree", All: "All", Difference: "Difference",
		Baseline: "Baseline", SettingsDiffer: "Settings that differ", NoSettingDiffers: "No setting differs.",
		Exploratory: "exploratory", InSelection: "In this selection", ChangeOrder: "largest change first", LossOrder: "largest loss first",
		ChooseRuns: "Which runs?", ChooseRunsHow: "Mark two to ten runs in the list of runs, and choose to compare them.",
		OnlyHere: "only here", DatasetOrder: "as in the dataset", OpenCase: "The case in this run",

		SettingsTitle: "Settings", Language: "Language", Theme: "Theme", LightTheme: "light", DarkTheme: "dark",
		SystemTheme: "as the system", Shortcuts: "Single-key shortcuts", On: "on", Off: "off", Save: "Save", Saved: "Saved.",

		SignIn: "Sign in", SignInHow: "Paste a token. This makes one:", Token: "Token",
		WrongToken: "The token is unknown, revoked or expired.",

		ErrorTitle: "This did not work", Retry: "Try again",
		StoreAway: "The server cannot be reached. What is shown is what was loaded last.",

		KeysTitle: "Keys", KeyHelp: "this help", KeyFilter: "to the filter", KeyRuns: "runs", KeyDatasets: "datasets", KeyNew: "a new run", KeyNext: "next row or case",
		KeyPrevious: "previous row or case", KeyOpen: "open the row", KeyBack: "close, or back to the list", KeyMark: "mark the run",
		KeyCompare: "compare the marked runs", KeyLink: "copy the link to this page", KeyPassage: "next, previous passage",
		KeyClass: "next class of compared cases", KeyDiff: "marks of the differences, on or off", ShowDiff: "Mark the differences",
		HideDiff:   "Leave out the marks of the differences",
		KeySearch:  "search everything",
		LinkCopied: "The link is copied.", Loading: "Loading…", Loaded: "Loaded.", Failed: "Loading failed.",
	}
}

func (e English) CasesFound(n, of int) string {
	if n == of {
		return e.Cases(of)
	}
	return fmt.Sprintf("%d of %s", n, e.Cases(of))
}

func (English) DrawsListed(draws int) string {
	return fmt.Sprintf("Each case was asked %d times, and each draw is counted and listed as one.", draws)
}

func (English) RunsFound(n, of int) string {
	word := "runs"
	if of == 1 {
		word = "run"
	}
	if n == of {
		return fmt.Sprintf("%d %s", of, word)
	}
	return fmt.Sprintf("%d of %d %s", n, of, word)
}

func (English) PageOf(page, pages int) string {
	return fmt.Sprintf("page %d of %d", page, pages)
}

func (English) PlaceOf(place, of int) string { return fmt.Sprintf("%d of %d", place, of) }

func (English) SoFar(done, of, failed int) string {
	s := fmt.Sprintf("%d of %d cases so far", done, of)
	if failed > 0 {
		s += fmt.Sprintf(", %d without a response", failed)
	}
	return s
}

func (e English) WithoutTerm(term string, n int) string {
	return fmt.Sprintf("without %s: %s", term, e.Cases(n))
}

func (English) MarkRun(name string) string { return "Mark " + name }

func (English) RemoveTerm(term string) string { return "Remove " + term }

func (e English) BinOf(from, to string, cases int) string {
	return fmt.Sprintf("%s to %s: %s", from, to, e.Cases(cases))
}

func (English) Correct(a assay.Correctness) string {
	switch a {
	case assay.AnswerRight:
		return "right"
	case assay.AnswerWrong:
		return "wrong"
	}
	return "unknown"
}
