package words

import (
	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/summary"
)

// comparisons are the words about comparisons of runs.
type comparisons interface {
	ComparisonKicker() string
	ComparisonTitle(runs int) string
	// Difference states in a sentence what the comparison shows about a metric for run
	// i, which counts from 1.
	Difference(c summary.Comparison, row summary.ComparisonRow, i int) string
	// Detectable returns the difference in the metric that this many cases can be
	// expected to detect.
	Detectable(m assay.MetricInfo, mde float64, cases int) string
	Strategy() string
	// TildeNote explains the sign before a difference that is not significant, if the level is
	// given, and the correction of p.
	TildeNote(level string, f Families) string
	// NoDifference begins a comparison without significant differences.
	NoDifference(level string, tests int) string
	MoreDifferences(n int) string
	// Power says what this many cases could have detected.
	Power(cases int, smallest []Detectable) string
	PowerShort() string
	PowerNote() string
	MeansTitle() string
	MeansNote(level string) string
	DifferencesTitle(baseline string) string
	DifferencesNav() string
	DifferencesNote(level string, f Families, estimates, tolerances bool) string
	DifferenceHeads() DifferenceHeads
	// ForestLegend explains the marks, of estimates and of tolerances if there are any.
	ForestLegend(level string, estimates, tolerances bool) string
	// FamilyNote says which p-values and intervals of a table are corrected together.
	FamilyNote(f Families) string
	NotShown() string
	AxisLabel(unit string) string
	NoCommonCase() string
	DifferenceLabel(diff, level string, ends []string) string
	EachLabel(cases int, largest string) string
	ByTagTitle() string
	NoneByTag(tested int) string
	TestedByTag(tested, shown int) string
	TagHeatNote(level string) string
	FrontTitle() string
	FrontNav() string
	FrontNote(plots bool) string
	FrontHeads() FrontHeads
	// Standing returns the standing of a run. dominated is the name of the run that is
	// better, or "".
	Standing(dominated string) string
	LessIsBetter(name string) string
	ChangedTitle() string
	ChangedIn(baseline, run string, shown, of int) string
	ChangeHeads() ChangeHeads
	MissedTitle(n, of int) string
	Missed(m Unsolved) string
	SettingsTitle() string
	MoreSettings(n int) string
	OriginNames() OriginNames
	SettingNames() SettingNames
	Caution(c Caution) string
	// OverCommon says which cases the means and the differences of a comparison are over.
	OverCommon() string
	// LeftOut counts the cases that have a score in only one of two runs.
	LeftOut(cases int) string
}

// Families says what was tested together: Tests differences. PrimaryTests more, those
// of the declared Primary metric, are a family of their own; Primary is "" if none was
// declared.
type Families struct {
	Tests, PrimaryTests int
	Primary             string
}

// DifferenceHeads are the headings of the table of differences.
type DifferenceHeads struct {
	Metric, Run, Baseline, Mean, ShortMean, Plot, Each, Counts, ShortCounts, Detects, NDetects string
}

// FrontHeads are the headings of the table of quality, cost and latency.
type FrontHeads struct{ Cost, ShortCost, Latency, ShortLatency, Standing, Tied string }

// ChangeHeads are the headings of the tables of cases that changed.
type ChangeHeads struct{ Case, Metric, Values, Question string }

// OriginNames name the origin of a run's numbers.
type OriginNames struct{ Run, Dataset, Seed string }

// SettingNames name what can differ between runs besides their configuration. Content
// marks the hash of a setting's content.
type SettingNames struct{ Target, Dataset, Cases, Corpus, Embedder, Judge, Content string }

// A Detectable is the smallest detectable difference in a metric; "" if none is possible.
type Detectable struct{ Difference, Metric string }

// Unsolved holds the number N of cases that no run solves and the names of the first.
type Unsolved struct {
	Runs, N, Of int
	Names       []string
}

// A Caution is a reason why runs are hard to compare.
type Caution struct {
	Kind CautionKind
	// Metric is the metric concerned, Run and Other are the runs.
	Metric, Run, Other string
	// Detail is a run's id or a test's name, Judges are the judges, or the embedders, of the
	// two runs.
	Detail string
	Judges [2]string
	// Cases of Of were evaluated, or are other ones.
	Cases, Of int
	// Canary tells that the judge changed.
	Canary *assay.Canary
}

// A CautionKind is the kind of a [Caution].
type CautionKind uint8

// The kinds of cautions.
const (
	MetricMissing CautionKind = iota // Run lacks Metric in the same version
	OtherWeights                     // Run weighs the parts of Metric differently
	OtherDataset                     // Run has another version of the dataset, in which Cases of Of pairs have another question
	OtherJudge                       // Metric was judged by different judges
	OtherVectors                     // metrics of Run and Other embedded differently, Judges are the embedders
	OtherTest                        // p-values are by the test Detail
	RunUnfinished                    // Run has Cases of Of
	RunUnjudged                      // the judge of Run was unreachable; Detail is its id
	ChangedJudge                     // the judge changed between Run and Other, as Canary tells
	SameRun                          // Run and Other are the same run Detail
)
