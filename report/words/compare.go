package words

import (
	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/summary"
)

// comparisons are the words of comparisons of runs.
type comparisons interface {
	ComparisonKicker() string
	ComparisonTitle(runs int) string
	// Difference says in a sentence what the comparison shows of a metric for
	// run i, from 1.
	Difference(c summary.Comparison, row summary.ComparisonRow, i int) string
	// Detectable says which difference in the metric so many cases can be
	// expected to detect.
	Detectable(m assay.MetricInfo, mde float64, cases int) string
	Strategy() string
	// TildeNote explains the sign before a difference that cannot be shown;
	// contradicted tells that some interval leaves out 0 all the same.
	TildeNote(level string, tests int, contradicted bool) string
	// NoDifference leads a comparison in which none of the tests shows a difference.
	NoDifference(level string, tests int) string
	MoreDifferences(n int) string
	// Power says what so many cases could have shown.
	Power(cases int, smallest []Detectable) string
	PowerShort() string
	PowerNote() string
	MeansTitle() string
	MeansNote(level string) string
	DifferencesTitle(baseline string) string
	DifferencesNav() string
	DifferencesNote(level string, tests int) string
	DifferenceHeads() DifferenceHeads
	ForestLegend(level string) string
	HolmNote(tests int, contradicted bool) string
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
	// Standing says where a run stands; dominated names the run that is better,
	// "" for none.
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
	// FewDiffer stands in a remark for the number of cases that differ.
	FewDiffer() string
	// LeftOut counts the cases that only one of two runs has a score for.
	LeftOut(cases int) string
}

// DifferenceHeads head the table of differences.
type DifferenceHeads struct {
	Metric, Run, Baseline, Mean, ShortMean, Plot, Each, Counts, ShortCounts, Detects, NDetects string
}

// FrontHeads head the table of quality, cost and latency.
type FrontHeads struct{ Cost, ShortCost, Latency, ShortLatency, Standing, Tied string }

// ChangeHeads head the tables of cases that changed.
type ChangeHeads struct{ Case, Metric, Values, Question string }

// OriginNames name where the numbers of a run come from.
type OriginNames struct{ Run, Dataset, Seed string }

// SettingNames name what can differ between runs beside their configuration.
// Content marks the hash of what a setting names.
type SettingNames struct{ Target, Dataset, Cases, Corpus, Embedder, Judge, Content string }

// A Detectable is the smallest difference in a metric that can be shown.
type Detectable struct{ Difference, Metric string }

// Unsolved are N of some cases that no run solves, the first by their names. A
// case counts when it is not ok or Metric has its Worst value; Metric is "" where
// no metric decides.
type Unsolved struct {
	Runs, N, Of   int
	Metric, Worst string
	Names         []string
}

// A Caution says what makes runs hard to compare.
type Caution struct {
	Kind CautionKind
	// Metric is the one concerned, Run and Other are the runs.
	Metric, Run, Other string
	// Detail is a run's id or a test's name, Judges are those of the two runs.
	Detail string
	Judges [2]string
	// Cases of Of were evaluated.
	Cases, Of int
}

// A CautionKind is what a [Caution] is about.
type CautionKind uint8

// The kinds of cautions.
const (
	MetricMissing CautionKind = iota // Run lacks Metric in the same version
	OtherWeights                     // Run weighs the parts of Metric differently
	OtherDataset                     // Run has another version of the dataset
	OtherJudge                       // Metric was judged by different judges
	OtherTest                        // p-values are by the test Detail
	RunUnfinished                    // Run has Cases of Of
	SameRun                          // Run and Other are the same run Detail
)
