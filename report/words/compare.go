package words

import (
	"cmp"
	"fmt"
	"math"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/report/document"
	"github.com/assay-eval/assay/stats"
	"github.com/assay-eval/assay/summary"
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
	Metric, Run, Baseline, Mean, ShortMean, Plot, Counts, ShortCounts, Detects, NDetects string
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
	OtherRules    CautionKind = "OtherRules"    // other rules decide which cases of Run and Other are right, Judges are the rules
	OtherTest     CautionKind = "OtherTest"     // p-values are by the test Detail
	RunUnfinished CautionKind = "RunUnfinished" // Run has Cases of Of
	RunUnjudged   CautionKind = "RunUnjudged"   // the judge of Run was unreachable; Detail is its id
	ChangedJudge  CautionKind = "ChangedJudge"  // the judge changed between Run and Other, as Canary tells
	SameRun       CautionKind = "SameRun"       // Run and Other are the same run Detail
)

// Difference states in a sentence what the comparison shows about a metric for run
// i, which counts from 1. What is said is chosen and formatted here, each sentence is a message.
func (w Words) Difference(c summary.Comparison, row summary.ComparisonRow, i int) string {
	d, m := row.Differences[i-1], row.MetricInfo
	data := v{
		"old": c.Runs[0], "new": c.Runs[i], "m": m, "d": d, "unit": m.Unit, "from": summary.Amount(m, d.Old), "to": summary.Amount(m, d.New),
		"difference": summary.Signed(m, d.Diff), "level": fmt.Sprintf("%.4g", 100*d.Level), "ci": "", "p": summary.P(d.PAdjusted),
		"near": m.NearChance != "", "tests": 0, "groups": 0, "tolerance": "", "by": "", "most": "", "power": "", "improves": summary.Improves(m, d), "rises": d.Diff > 0,
	}
	if below, ok := strings.CutPrefix(summary.P(d.PAdjusted), "<"); ok {
		data["p"] = "p < " + below
	} else {
		data["p"] = "p = " + summary.P(d.PAdjusted)
	}
	if d.CI != nil {
		data["ci"] = summary.Ends(m, *d.CI)
	}
	shown := summary.Shown(d)
	if !shown && d.P < 1-d.Level {
		data["tests"] = c.Family(m.Name)
	}
	if g := row.Groups(i); g < d.N {
		data["groups"] = g
	}
	if better, worse := summary.Sides(m, d); summary.Disagrees(d) && d.N > 0 {
		name := "Difference.mostWorse"
		if better > worse {
			name = "Difference.mostBetter"
		}
		data["most"] = w.Say(name, v{"better": better, "worse": worse})
	}
	if share, ok := summary.RelativeChange(m, d); ok {
		data["by"] = fmt.Sprintf("%.0f %%", 100*share)
		if share < 0.0995 {
			data["by"] = fmt.Sprintf("%.1f %%", 100*share)
		}
	}
	switch {
	case d.N == 0:
		return w.Say("Difference.nothing", data)
	case m.Estimate:
		return w.Say("Difference.estimate", data)
	}
	data["numbers"] = w.Say("Difference.numbers", data)
	switch {
	case row.NoWorse(i):
		data["tolerance"] = fmt.Sprintf("%g", row.Tolerances[i-1])
		return w.Say("Difference.noWorse", data)
	case shown:
		return w.Say("Difference.shown", data)
	}
	data["power"] = w.detects(row, i)
	return w.Say("Difference.none", data)
}

// detects says what so many cases can detect; "" if that is not known.
func (w Words) detects(row summary.ComparisonRow, i int) string {
	d, groups := row.Differences[i-1], row.Groups(i)
	mde, ok := summary.Detects(row.MetricInfo, d)
	settles, _ := summary.Settles(d)
	data := v{"n": d.N, "groups": groups, "mde": summary.RoundedUp(mde), "unit": row.Unit, "settles": settles}
	switch {
	case d.Wins+d.Losses == 0:
		return w.Say("Difference.power.same", data)
	case d.CI == nil && !summary.Bounded(row.MetricInfo) && d.Groups >= d.Fewest:
		return w.Say("Difference.power.fewDiffer", data)
	case d.CI == nil && d.Groups >= d.Fewest && (row.NearChance != "" || d.Test == stats.SignedRank):
		return "" // an interval is missing for another reason
	case d.CI == nil && groups < d.N:
		return w.Say("Difference.power.fewGroups", data)
	case d.CI == nil:
		return w.Say("Difference.power.few", data)
	case !ok:
		return ""
	case math.IsInf(mde, 0):
		return w.Say("Difference.power.none", data)
	}
	return w.Say("Difference.power.detects", data)
}

// Corrected states a difference as people would judge it, beside the judge's, or why it is not known.
func (w Words) Corrected(d CorrectedDifference) string {
	m := d.Metric
	if d.Lack != "" && w.Has("Corrected.lacks."+string(d.Lack)) {
		return w.Say("Corrected.lacks."+string(d.Lack), d)
	}
	says := ""
	if d.Overrules(m, d.Judge) {
		says = w.Say("Corrected.judge."+string(summary.DirectionOf(m, d.Judge)), v{"difference": summary.Signed(m, d.Judge.Diff)})
	}
	direction := cmp.Or(d.Direction(m), summary.Worse)
	return w.Say("Corrected."+string(direction), v{
		"d": d, "says": says, "difference": summary.Signed(m, d.Mean), "level": fmt.Sprintf("%.4g", 100*d.Level), "ci": summary.Ends(m, d.CI),
	})
}

// CorrectedHeads are the headings of the table of corrected differences.
type CorrectedHeads struct {
	Metric, Run, Judge, Corrected, People, Labels, Half string
}

// A CorrectedDifference is a difference of a metric between two runs with its correction.
type CorrectedDifference struct {
	Metric   assay.MetricInfo
	Old, New string
	Judge    stats.Comparison
	summary.Correction
}

// PreferenceCounts says which cases no ruling decided; "" if there are none.
func (w Words) PreferenceCounts(p summary.PreferencePair) string {
	old, young := document.Line(p.Old), document.Line(p.New)
	var parts []string
	for _, one := range []struct {
		n         int
		name, run string
	}{
		{p.Once, "oneOrder", ""}, {p.Opposed, "opposed", ""}, {p.Equal, "equal", ""}, {p.Failed[0], "failed", old}, {p.Failed[1], "failed", young},
		{p.BothFailed, "bothFailed", ""}, {p.Declined[0], "empty", old}, {p.Declined[1], "empty", young}, {p.Addressed, "addressed", ""},
		{p.Unjudged, "unjudged", ""},
	} {
		w.add(&parts, one.n > 0, "PreferenceCounts."+one.name, v{"n": one.n, "run": one.run})
	}
	if parts == nil {
		return ""
	}
	return w.Say("PreferenceCounts.sentence", v{"c": v{"Old": old, "New": young}, "parts": parts})
}

// PreferenceHeads are the headings of the tables of preferences.
type PreferenceHeads struct {
	Run, Beside, Better, Same, Worse, Rate, SameNow string
}
