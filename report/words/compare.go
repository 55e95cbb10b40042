package words

import (
	"github.com/assay-eval/assay"
)

// Standing returns the standing of a run. dominated is the name of the run that is
// better, or "".
func (w Words) Standing(dominated string) string { return w.Say("Standing", v{"dominated": dominated}) }
func (w Words) Caution(c Caution) string         { return w.Say("Caution."+string(c.Kind), c) }

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
type CautionKind string

// The kinds of cautions.
const (
	MetricMissing CautionKind = "MetricMissing" // Run lacks Metric in the same version
	NothingNamed  CautionKind = "NothingNamed"  // Run retrieves no document that a case expects, or names them otherwise
	NoGroups      CautionKind = "NoGroups"      // Run is of a baseline file that does not tell the groups of its cases
	OtherWeights  CautionKind = "OtherWeights"  // Run weighs the parts of Metric differently
	OtherDataset  CautionKind = "OtherDataset"  // Run has another version of the dataset, in which Cases of Of pairs have another question
	OtherJudge    CautionKind = "OtherJudge"    // Metric was judged by different judges
	OtherVectors  CautionKind = "OtherVectors"  // metrics of Run and Other embedded differently, Judges are the embedders
	OtherTest     CautionKind = "OtherTest"     // p-values are by the test Detail
	RunUnfinished CautionKind = "RunUnfinished" // Run has Cases of Of
	RunUnjudged   CautionKind = "RunUnjudged"   // the judge of Run was unreachable; Detail is its id
	ChangedJudge  CautionKind = "ChangedJudge"  // the judge changed between Run and Other, as Canary tells
	SameRun       CautionKind = "SameRun"       // Run and Other are the same run Detail
)
