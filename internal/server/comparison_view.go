package server

import (
	"math"

	"github.com/assay-eval/assay/report"
	"github.com/assay-eval/assay/report/words"
	"github.com/assay-eval/assay/stats"
	"github.com/assay-eval/assay/summary"
)

// A comparisonView is a comparison without its cases.
type comparisonView struct {
	Level        float64          `json:"level" doc:"confidence level of the intervals" example:"0.95"`
	Tests        int              `json:"tests" doc:"number of differences that are tested together" example:"8"`
	Primary      string           `json:"primary,omitempty" doc:"metric that was declared primary, and is tested alone" example:"recall@5"`
	PrimaryTests int              `json:"primary_tests,omitempty" doc:"number of differences of the primary metric" example:"1"`
	Baseline     string           `json:"baseline_id" doc:"id of the run that the others are compared with" example:"01990a3e-7c1d"`
	Runs         []comparedRun    `json:"runs" nullable:"false" doc:"the runs, the baseline first"`
	Metrics      []comparedMetric `json:"metrics" nullable:"false" doc:"the metrics that all runs have"`
	Tags         []comparedTag    `json:"tags" nullable:"false" doc:"the cases of each tag, unless all have it"`
	Rule         string           `json:"outcome_rule" doc:"what makes a case right or wrong" example:"A case is right or wrong by its answer."`
	Settings     []setting        `json:"settings" nullable:"false" doc:"the settings in which the runs differ"`
	Warnings     []string         `json:"warnings" nullable:"false" doc:"why the runs are hard to compare" example:"[\"other datasets\"]"`
}

// A comparedRun is a run of a comparison.
type comparedRun struct {
	ID    string `json:"run_id" doc:"id of the run" example:"01990a3e-7c1d-7d2a-9c57-0f3b6f1f2a10"`
	Name  string `json:"name" doc:"name of the run in sentences; the id if two runs have the same name" example:"nightly"`
	State string `json:"state" enum:"running,finished,interrupted,failed,cancelled" doc:"where the run stands"`
	Cases int    `json:"cases" doc:"number of its cases; draws of a case count as one" example:"500"`
	// Classes is null for the baseline.
	Classes *classCounts `json:"classes" required:"true" doc:"how its cases ended beside those of the baseline; null for the baseline"`
}

// classCounts counts the cases of each class. Every case of the two runs is in one.
type classCounts struct {
	BothRight  int  `json:"both_right" doc:"cases that both get right" example:"380"`
	BothWrong  int  `json:"both_wrong" doc:"cases that both get wrong" example:"60"`
	NewlyRight int  `json:"newly_right" doc:"cases that the run gets right and the baseline wrong" example:"40"`
	NewlyWrong int  `json:"newly_wrong" doc:"cases that the run gets wrong and the baseline right" example:"20"`
	Unknown    int  `json:"unknown" doc:"cases that are neither right nor wrong in one of the two, or in both" example:"15"`
	Unpaired   int  `json:"unpaired" doc:"cases that only one of the two has" example:"0"`
	Different  int  `json:"different" doc:"right in only one, or another value of a metric that is no estimate" example:"95"`
	Flaky      *int `json:"flaky,omitempty" doc:"cases whose draws differ in one of the two; absent if neither asked a case twice" example:"4"`
}

// A comparedMetric is a metric of a comparison.
type comparedMetric struct {
	Metric      string             `json:"metric" doc:"name of the metric" example:"recall@5"`
	Title       string             `json:"title" doc:"name in sentences" example:"Recall@5"`
	Unit        string             `json:"unit" doc:"unit of the values; empty for a share or a plain number" example:"ms"`
	Better      string             `json:"better" enum:"higher,lower" doc:"which values are better"`
	Estimate    bool               `json:"estimate" doc:"whether the metric is an estimate, whose differences have an interval and no verdict"`
	Estimates   []comparedEstimate `json:"estimates" nullable:"false" doc:"by run, the baseline first"`
	Differences []difference       `json:"differences" nullable:"false" doc:"by run, without the baseline"`
}

// A comparedEstimate is the mean of a metric in a run.
type comparedEstimate struct {
	Run  string      `json:"run_id" doc:"id of the run" example:"01990a3e-7c1d-7d2a-9c57-0f3b6f1f2a10"`
	N    int         `json:"n" doc:"number of cases with a value" example:"500"`
	Mean *float64    `json:"mean" required:"true" doc:"mean over these; null if there are none" example:"0.781"`
	CI   *[2]float64 `json:"ci" required:"true" doc:"interval of the mean; null if the cases are too few" example:"[0.743, 0.816]"`
}

// A difference is that of a metric between a run and the baseline, over the cases that both
// have.
type difference struct {
	Run      string      `json:"run_id" doc:"id of the run" example:"01990a3e-7c1d-7d2a-9c57-0f3b6f1f2a10"`
	N        int         `json:"n" doc:"number of cases with a value in both" example:"498"`
	Dropped  int         `json:"dropped" doc:"number of cases with a value in one of them alone" example:"2"`
	Old      *float64    `json:"old" required:"true" doc:"mean in the baseline; null if n is 0" example:"0.72"`
	New      *float64    `json:"new" required:"true" doc:"mean in the run; null if n is 0" example:"0.781"`
	Diff     *float64    `json:"diff" required:"true" doc:"new - old; null if n is 0" example:"0.061"`
	CI       *[2]float64 `json:"ci" required:"true" doc:"interval of the difference, simultaneous for all tests" example:"[0.018, 0.104]"`
	Shown    bool        `json:"shown" doc:"whether the difference can be shown; without it, it cannot be told from chance"`
	P        *float64    `json:"p" required:"true" doc:"p-value of the test alone; null of an estimate" example:"0.002"`
	Adjusted *float64    `json:"p_adjusted" required:"true" doc:"p-value corrected for the other tests; null of an estimate" example:"0.011"`
	Better   int         `json:"better" doc:"number of cases that are better" example:"60"`
	Same     int         `json:"same" doc:"number of cases that are the same" example:"410"`
	Worse    int         `json:"worse" doc:"number of cases that are worse" example:"28"`
	MDE      *float64    `json:"mde" required:"true" doc:"the smallest difference that is shown with a power of 80 %" example:"0.05"`
	Sentence string      `json:"sentence" doc:"the difference in words" example:"Recall@5 is better in nightly than in main."`
	// Corrected is nil if the metric has no labels.
	Corrected *correctedView `json:"corrected,omitempty" doc:"the difference as people would judge it; absent if the metric has no labels"`
}

// A correctedView is a difference as people would judge it.
type correctedView struct {
	Labels    int         `json:"labels" doc:"number of cases that are labelled in both runs" example:"60"`
	Missing   int         `json:"labels_missing" doc:"how many labels are missing for a correction; 0 if there is one" example:"0"`
	Diff      *float64    `json:"diff" required:"true" doc:"the corrected difference; null without a correction" example:"0.02"`
	CI        *[2]float64 `json:"ci" required:"true" doc:"its interval, simultaneous for the runs; null without a correction" example:"[-0.03, 0.07]"`
	Lambda    *float64    `json:"lambda" required:"true" doc:"weight of the judge, 0 to 1; null without a correction" example:"0.62"`
	Half      *int        `json:"labels_for_half" required:"true" doc:"further labels that would halve the interval; null if none would" example:"180"`
	Direction string      `json:"direction" enum:"better,worse,open" doc:"which run people favour: the run, the baseline, or not shown"`
	Overrules bool        `json:"overrules_judge" doc:"whether the judge says otherwise"`
	Sentence  string      `json:"sentence" doc:"the correction in words, or why there is none" example:"As people would judge it, no difference is shown."`
}

// correctedOf returns the view of a correction.
func correctedOf(d words.CorrectedDifference) *correctedView {
	v := &correctedView{Labels: d.Labels, Missing: d.More, Half: d.Half, Direction: string(d.Direction(d.Metric)),
		Overrules: d.Overrules(d.Metric, d.Judge), Sentence: words.English.Corrected(d)}
	if d.Corrected != nil {
		v.Diff, v.CI, v.Lambda = &d.Mean, pairOf(&d.CI), &d.Lambda
	}
	return v
}

// A comparedTag compares the cases with a tag.
type comparedTag struct {
	Tag     string           `json:"tag" doc:"the tag" example:"chinese"`
	Cases   int              `json:"cases" doc:"number of cases with it in any run" example:"120"`
	Tested  bool             `json:"tested" doc:"whether the cases are enough to be tested"`
	Metrics []comparedMetric `json:"metrics" nullable:"false" doc:"as those of all cases; differences have no sentence"`
}

// A setting is one in which runs differ.
type setting struct {
	Name   string         `json:"name" doc:"name of the setting" example:"top-k"`
	Values []settingValue `json:"values" nullable:"false" doc:"by run, the baseline first"`
}

// A settingValue is the value of a setting in a run.
type settingValue struct {
	Run   string `json:"run_id" doc:"id of the run" example:"01990a3e-7c1d-7d2a-9c57-0f3b6f1f2a10"`
	Value string `json:"value" doc:"the value; empty if the run has no such setting" example:"10"`
}

// viewed returns the view of a comparison.
func (c *comparison) viewed() comparisonView {
	v := comparisonView{
		Level: c.Level, Tests: c.Tests, PrimaryTests: c.PrimaryTests, Baseline: c.Reports[0].Header.ID,
		Metrics: comparedMetrics(c.Comparison, c.Rows, true), Tags: []comparedTag{}, Settings: []setting{},
		Warnings: c.Warnings(words.English), Rule: c.OutcomeRule(words.English),
	}
	if c.Declared {
		v.Primary = c.Primary
	}
	for i, r := range c.Reports {
		x := comparedRun{ID: r.Header.ID, Name: c.Runs[i], State: r.Header.State, Cases: r.Cases.Distinct()}
		if i > 0 {
			x.Classes = c.classesOf(i)
		}
		v.Runs = append(v.Runs, x)
	}
	for _, s := range c.Slices {
		v.Tags = append(v.Tags, comparedTag{s.Tag, s.Cases, s.Tested, comparedMetrics(c.Comparison, s.Rows, false)})
	}
	for _, s := range c.Settings(words.English) {
		one := setting{Name: s.Key}
		for i, value := range s.Values {
			one.Values = append(one.Values, settingValue{c.Reports[i].Header.ID, value})
		}
		v.Settings = append(v.Settings, one)
	}
	return v
}

// classesOf counts the cases of a run and the baseline by class.
func (c *comparison) classesOf(run int) *classCounts {
	out := &classCounts{
		BothRight: c.count(run, report.BothRight), BothWrong: c.count(run, report.BothWrong), Unpaired: c.count(run, report.Unpaired), Unknown: c.count(run, report.Unknown),
		NewlyRight: c.count(run, report.NewlyRight), NewlyWrong: c.count(run, report.NewlyWrong), Different: c.count(run, report.Different),
	}
	if c.flaky[run] != nil {
		n := c.count(run, report.Flaky)
		out.Flaky = &n
	}
	return out
}

// count returns the number of cases of a class, in a run and the baseline.
func (c *comparison) count(run int, class report.Class) int {
	n := 0
	for k := range c.Matrix().Cases {
		if c.is(run, k, class) {
			n++
		}
	}
	return n
}

func comparedMetrics(c *report.Comparison, rows []summary.ComparisonRow, sentences bool) []comparedMetric {
	out := []comparedMetric{}
	for _, row := range rows {
		m := comparedMetric{Metric: row.Name, Title: row.Title, Unit: row.Unit, Better: row.Better, Estimate: row.Estimate}
		for i, r := range c.Reports {
			e := comparedEstimate{Run: r.Header.ID, N: row.Estimates[i].N, CI: pairOf(row.Estimates[i].CI)}
			if e.N > 0 {
				e.Mean = &row.Estimates[i].Mean
			}
			m.Estimates = append(m.Estimates, e)
			if i == 0 {
				continue
			}
			d := differenceOf(row, i)
			d.Run = r.Header.ID
			if sentences {
				if x, ok := c.Correction(row, i); ok {
					d.Corrected = correctedOf(x)
				}
				d.Sentence = words.English.Difference(c.Comparison, row, i)
			}
			m.Differences = append(m.Differences, d)
		}
		out = append(out, m)
	}
	return out
}

func differenceOf(row summary.ComparisonRow, i int) difference {
	d := &row.Differences[i-1]
	out := difference{
		N: d.N, Dropped: d.Dropped, CI: pairOf(d.CI), Shown: summary.Shown(*d), Better: d.Wins, Same: d.Ties, Worse: d.Losses,
	}
	if v, ok := summary.Detects(row.MetricInfo, *d); ok && !math.IsInf(v, 0) {
		out.MDE = &v
	}
	if row.Better == "lower" {
		out.Better, out.Worse = d.Losses, d.Wins
	}
	if d.N > 0 {
		out.Old, out.New, out.Diff = &d.Old, &d.New, &d.Diff
		if !row.Estimate {
			out.P, out.Adjusted = &d.P, &d.PAdjusted
		}
	}
	return out
}

// pairOf returns an interval as clients see it.
func pairOf(i *stats.Interval) *[2]float64 {
	if i == nil {
		return nil
	}
	return &[2]float64{i.Lo, i.Hi}
}
